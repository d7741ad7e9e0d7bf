import { verify } from "node:crypto";
import type { FakeAuthClient } from "./options.ts";
import type { FakeAuthState } from "./state.ts";

export interface ProvenClient {
  readonly clientId: string | null;
  readonly method: string;
  /** Why it is not believed, or null. */
  readonly problem: string | null;
}

/** Who asks, and whether they have proven it (RFC 6749 section 2.3, RFC 7523). */
export function proveClient(
  state: FakeAuthState,
  authorization: string | undefined,
  form: URLSearchParams,
): ProvenClient {
  const { clientId, secret, method } = claimOf(authorization, form);
  const client = clientId === null ? undefined : state.clients.get(clientId);
  const claim = { clientId, method };
  if (client === undefined) return { ...claim, problem: "the client is not known" };
  if (state.options.authMethods?.includes(method) === false)
    return { ...claim, problem: `${method} is not supported` };
  if (method === "private_key_jwt") {
    const assertion = form.get("client_assertion") ?? "";
    return { ...claim, problem: assertionProblem(assertion, client, state.issuer) };
  }
  if (client.publicKey !== undefined) return { ...claim, problem: "the client has to sign an assertion" };
  if (secret !== client.secret) return { ...claim, problem: "the secret is another one" };
  return { ...claim, problem: null };
}

function claimOf(authorization: string | undefined, form: URLSearchParams) {
  const [, basic] = /^Basic (.+)$/.exec(authorization ?? "") ?? [];
  if (basic !== undefined) {
    const [clientId = "", secret = ""] = Buffer.from(basic, "base64").toString().split(":");
    return { clientId, secret, method: "client_secret_basic" };
  }
  const assertion = form.get("client_assertion");
  if (assertion !== null) return { clientId: subjectOf(assertion), method: "private_key_jwt" };
  const clientId = form.get("client_id");
  const secret = form.get("client_secret");
  return secret === null ? { clientId, method: "none" } : { clientId, secret, method: "client_secret_post" };
}

function claims(assertion: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return {};
  }
}

function subjectOf(assertion: string): string | null {
  const { sub } = claims(assertion);
  return typeof sub === "string" ? sub : null;
}

function assertionProblem(assertion: string, client: FakeAuthClient, issuer: string): string | null {
  const [head = "", body = "", signature = ""] = assertion.split(".");
  const { iss, sub, aud, exp } = claims(assertion);
  if (client.publicKey === undefined) return "the client has no key";
  if (iss !== client.id || sub !== client.id) return "the assertion is another client's";
  if (aud !== issuer) return "the assertion is for another issuer";
  if (typeof exp !== "number" || exp * 1000 < Date.now()) return "the assertion has ended";
  const key = { key: client.publicKey, dsaEncoding: "ieee-p1363" } as const;
  const good = verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
  return good ? null : "the signature is not the client's";
}
