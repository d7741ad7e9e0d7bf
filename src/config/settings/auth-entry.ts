import type { Node } from "jsonc-parser";
import type { ServerAuth } from "../../types/auth.ts";
import { flag, type Located, member, text, texts } from "./members.ts";

/** The texts of `auth` in which `${VAR}` is replaced. */
const authTexts = [
  "clientId",
  "clientSecret",
  "privateKey",
  "clientMetadataUrl",
  "issuer",
  "redirectUri",
] as const;

/** As a `ServerText`. */
interface AuthText extends Located<string> {
  readonly place: string;
  readonly key: string;
}

/** `auth` of an entry, not yet expanded. */
export interface AuthEntry {
  readonly texts: readonly (readonly [(typeof authTexts)[number], AuthText])[];
  readonly settings: Pick<ServerAuth, "grant" | "algorithm" | "scopes" | "allowPrivateNetwork">;
}

/** What stands for a secret: the variable that holds it, and nothing else. */
const variable = /^\$\{(?:env:)?[A-Za-z_]\w*\}$/;

/** `auth` that was checked against the schema; undefined without one. */
export function readAuth(node: Node | undefined): AuthEntry | undefined {
  if (node === undefined) return undefined;
  const grant = member(node, "grant")?.value;
  const algorithm = text(member(node, "algorithm"));
  const scopes = member(node, "scopes");
  const allowPrivateNetwork = flag(member(node, "allowPrivateNetwork"));
  return {
    texts: authTexts.flatMap((name) => {
      const found = text(member(node, name));
      const key = `auth.${name}`;
      return found === undefined ? [] : [[name, { ...found, place: key, key }] as const];
    }),
    settings: {
      ...(grant === "client_credentials" || grant === "authorization_code" ? { grant } : {}),
      ...(algorithm === undefined ? {} : { algorithm: algorithm.value }),
      ...(scopes === undefined ? {} : { scopes: texts(scopes).map(({ value }) => value) }),
      ...(allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork }),
    },
  };
}

/** What is wrong with `auth`, as ends of sentences that begin with the key's name. */
export function authProblems(
  node: Node | undefined,
): readonly { readonly offset: number; readonly key: string; readonly what: string }[] {
  const auth = readAuth(node);
  if (auth === undefined) return [];
  const found = new Map(auth.texts);
  const open = (["clientSecret", "privateKey"] as const).flatMap((key) => {
    const secret = found.get(key);
    if (secret === undefined || variable.test(secret.value)) return [];
    const what = `must be "\${VAR}": a secret belongs into the environment, not into a file`;
    return [{ offset: secret.offset, key, what }];
  });
  const isAlone = auth.settings.grant === "client_credentials" && !found.has("clientId");
  const alone = { offset: node?.offset ?? 0, key: "grant", what: 'needs "clientId" beside it' };
  return isAlone ? [...open, alone] : open;
}
