import { isAbsolute } from "node:path";
import { isObject } from "../util/own.ts";

const texts = [
  "clientId",
  "clientSecret",
  "privateKey",
  "algorithm",
  "assertion",
  "assertionFile",
  "clientMetadataUrl",
  "issuer",
  "redirectUri",
];
const providerTexts = ["issuer", "clientId", "clientSecret", "idToken", "idTokenFile"];
const flags = ["allowPrivateNetwork", "dpop"];
const grants: readonly unknown[] = ["authorization_code", "client_credentials", "jwt_bearer"];

/** What is wrong with a server's `auth`, as a sentence that begins with the key and has no full stop; null for nothing. */
export function authProblem(auth: unknown): string | null {
  if (!isObject(auth)) return "auth is not an object";
  const wrong = wrongText(auth, texts);
  if (wrong !== undefined) return `auth.${wrong} is not a text`;
  const { grant, scopes, assertionFile, clientMetadataUrl } = auth;
  if (grant !== undefined && !grants.includes(grant))
    return `auth.grant is none of ${grants.map(String).join(", ")}`;
  if (scopes !== undefined && !isTextList(scopes)) return "auth.scopes is not a list of strings";
  const flag = flags.find((key) => !["undefined", "boolean"].includes(typeof auth[key]));
  if (flag !== undefined) return `auth.${flag} is neither true nor false`;
  // The URL is the client's name at every server that takes documents, and has a path of its own.
  if (typeof clientMetadataUrl === "string" && !/^https:\/\/[^/\s]+\/[^\s]+$/.test(clientMetadataUrl))
    return "auth.clientMetadataUrl is not an https URL with a path";
  if (typeof assertionFile === "string" && !isAbsolute(assertionFile))
    return "auth.assertionFile is not an absolute path";
  return grantProblem(auth) ?? providerProblem(auth.identityProvider);
}

/** What a grant needs beside it. */
function grantProblem(auth: Record<string, unknown>): string | null {
  const { grant, clientId } = auth;
  if (grant === undefined || grant === "authorization_code") return null;
  if (clientId === undefined) return `auth.grant is ${grant}, and there is no auth.clientId`;
  const vouching = ["assertion", "assertionFile", "identityProvider"].filter(
    (key) => auth[key] !== undefined,
  );
  if (grant === "jwt_bearer" && vouching.length !== 1)
    return "auth.grant is jwt_bearer, and needs exactly one of assertion, assertionFile and identityProvider";
  return null;
}

function providerProblem(provider: unknown): string | null {
  if (provider === undefined) return null;
  if (!isObject(provider)) return "auth.identityProvider is not an object";
  const wrong = wrongText(provider, providerTexts);
  if (wrong !== undefined) return `auth.identityProvider.${wrong} is not a text`;
  const { issuer, clientId, idToken, idTokenFile } = provider;
  if (typeof issuer !== "string" || !/^https?:\/\/[^/\s]/.test(issuer) || !URL.canParse(issuer))
    return "auth.identityProvider.issuer is not a URL";
  if (clientId === undefined) return "auth.identityProvider has no clientId";
  if ((idToken === undefined) === (idTokenFile === undefined))
    return "auth.identityProvider needs exactly one of idToken and idTokenFile";
  if (typeof idTokenFile === "string" && !isAbsolute(idTokenFile))
    return "auth.identityProvider.idTokenFile is not an absolute path";
  return null;
}

function wrongText(value: Record<string, unknown>, keys: readonly string[]): string | undefined {
  return keys.find((key) => !["undefined", "string"].includes(typeof value[key]) || value[key] === "");
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}
