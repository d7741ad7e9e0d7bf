import { sign, verify } from "node:crypto";
import { isObject } from "../../util/own.ts";

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT, signed with ES256; it ends after five minutes where the claims do not say when. */
export function signAssertion(claims: Record<string, unknown>, privateKey: string, typ = "JWT"): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const signed = `${encode({ alg: "ES256", typ })}.${encode({ exp, ...claims })}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** Its claims; null when it is not signed by this key, or has ended. */
export function readAssertion(assertion: string, publicKey: string): Record<string, unknown> | null {
  const [head = "", body = "", signature = ""] = assertion.split(".");
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
    return null;
  const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
  if (!isObject(claims) || typeof claims.exp !== "number" || claims.exp * 1000 < Date.now()) return null;
  return claims;
}
