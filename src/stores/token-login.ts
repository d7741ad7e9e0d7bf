import type { StoredClient, StoredLogin, StoredTokens } from "../types/auth.ts";
import { isObject } from "../util/own.ts";

/** A login as it was written by us; null for anything else. */
export function parseLogin(text: string): StoredLogin | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || value.version !== 1) return null;
  const { principal, server, issuer, resource, tokenEndpoint, authMethods } = value;
  if (!areTexts([principal, server, issuer, resource, tokenEndpoint])) return null;
  if (!Array.isArray(authMethods) || !areTexts(authMethods)) return null;
  if (!areOptionalTexts(value, ["revocationEndpoint", "wantedScope"])) return null;
  if (!isClient(value.client) || !(value.tokens === null || isTokens(value.tokens))) return null;
  // Every member that is read was checked above.
  return value as unknown as StoredLogin;
}

function isClient(value: unknown): value is StoredClient {
  if (!isObject(value) || typeof value.id !== "string") return false;
  if (!["config", "document", "registration"].includes(String(value.origin))) return false;
  return (
    areOptionalTexts(value, ["secret", "authMethod", "redirectUri"]) &&
    isOptionalNumber(value.secretExpiresAt)
  );
}

function isTokens(value: unknown): value is StoredTokens {
  if (!isObject(value) || typeof value.access !== "string" || typeof value.obtainedAt !== "number")
    return false;
  if (value.proofKey !== undefined && !isProofKey(value.proofKey)) return false;
  return areOptionalTexts(value, ["refresh", "scope"]) && isOptionalNumber(value.expiresAt);
}

function isProofKey(value: unknown): boolean {
  return isObject(value) && areTexts([value.x, value.y, value.d]);
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function areOptionalTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => value[name] === undefined || typeof value[name] === "string");
}

function isOptionalNumber(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}
