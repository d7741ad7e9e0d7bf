import type { Node } from "jsonc-parser";
import type { ServerAuth } from "../../types/auth.ts";
import { flag, type Located, member, text, texts } from "./members.ts";

/** The texts of `auth` in which `${VAR}` is replaced. */
const authTexts = [
  "clientId",
  "clientSecret",
  "privateKey",
  "assertion",
  "assertionFile",
  "clientMetadataUrl",
  "issuer",
  "redirectUri",
] as const;

const providerTexts = ["issuer", "clientId", "clientSecret", "idToken", "idTokenFile"] as const;

/** As a `ServerText`. */
interface AuthText extends Located<string> {
  readonly place: string;
  readonly key: string;
}

/** `auth` of an entry, not yet expanded. */
export interface AuthEntry {
  readonly texts: readonly (readonly [(typeof authTexts)[number], AuthText])[];
  /** Of `identityProvider`; undefined without one. */
  readonly provider: readonly (readonly [(typeof providerTexts)[number], AuthText])[] | undefined;
  readonly settings: Pick<ServerAuth, "grant" | "algorithm" | "scopes" | "dpop" | "allowPrivateNetwork">;
}

/** What stands for a secret: the variable that holds it, and nothing else. */
const variable = /^\$\{(?:env:)?[A-Za-z_]\w*\}$/;

/** `auth` that was checked against the schema; undefined without one. */
export function readAuth(node: Node | undefined): AuthEntry | undefined {
  if (node === undefined) return undefined;
  const grant = member(node, "grant")?.value;
  const algorithm = text(member(node, "algorithm"));
  const scopes = member(node, "scopes");
  const dpop = flag(member(node, "dpop"));
  const provider = member(node, "identityProvider");
  const allowPrivateNetwork = flag(member(node, "allowPrivateNetwork"));
  return {
    texts: textsOf(node, authTexts, "auth"),
    provider: provider && textsOf(provider, providerTexts, "auth.identityProvider"),
    settings: {
      ...(isGrant(grant) ? { grant } : {}),
      ...(algorithm === undefined ? {} : { algorithm: algorithm.value }),
      ...(scopes === undefined ? {} : { scopes: texts(scopes).map(({ value }) => value) }),
      ...(dpop === undefined ? {} : { dpop }),
      ...(allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork }),
    },
  };
}

function textsOf<Name extends string>(
  node: Node,
  names: readonly Name[],
  place: string,
): readonly (readonly [Name, AuthText])[] {
  return names.flatMap((name) => {
    const found = text(member(node, name));
    const key = `${place}.${name}`;
    return found === undefined ? [] : [[name, { ...found, place: key, key }] as const];
  });
}

function isGrant(value: unknown): value is NonNullable<ServerAuth["grant"]> {
  return value === "authorization_code" || value === "client_credentials" || value === "jwt_bearer";
}

/** What is wrong with `auth`, as ends of sentences that begin with the key's name. */
export function authProblems(
  node: Node | undefined,
): readonly { readonly offset: number; readonly key: string; readonly what: string }[] {
  const auth = readAuth(node);
  if (auth === undefined) return [];
  const secrets: readonly (AuthText | undefined)[] = [
    ...["clientSecret", "privateKey", "assertion"].map((name) =>
      new Map<string, AuthText>(auth.texts).get(name),
    ),
    ...["clientSecret", "idToken"].map((name) => new Map<string, AuthText>(auth.provider).get(name)),
  ];
  const open = secrets.flatMap((secret) => {
    if (secret === undefined || variable.test(secret.value)) return [];
    const what = `must be "\${VAR}": a secret belongs into the environment, not into a file`;
    return [{ offset: secret.offset, key: secret.key.replace("auth.", ""), what }];
  });
  const names = new Set<string>(auth.texts.map(([name]) => name));
  const missing = (what: string) => ({ offset: node?.offset ?? 0, key: "grant", what });
  const { grant } = auth.settings;
  const isAlone = grant !== undefined && grant !== "authorization_code" && !names.has("clientId");
  const vouching = [names.has("assertion"), names.has("assertionFile"), auth.provider !== undefined];
  const isUnvouched = grant === "jwt_bearer" && vouching.filter(Boolean).length !== 1;
  return [
    ...open,
    ...(isAlone ? [missing('needs "clientId" beside it')] : []),
    ...(isUnvouched
      ? [missing('needs exactly one of "assertion", "assertionFile" and "identityProvider" beside it')]
      : []),
  ];
}
