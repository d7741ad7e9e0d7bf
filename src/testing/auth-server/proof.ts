import { createHash, createPublicKey, verify } from "node:crypto";
import { isObject } from "../../util/own.ts";
import type { FakeAuthState } from "./state.ts";

/** A request as far as a proof of a key is about it. */
export interface ProvenRequest {
  readonly side: "issuer" | "resource";
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  /** The header `DPoP`. */
  readonly proof: string | undefined;
  /** The token that it goes with. */
  readonly access?: string;
}

/** What a proof shows (RFC 9449 section 4.3): whose key it is, or why it is not taken. */
export type Proven =
  | { readonly thumbprint: string }
  | { readonly problem: string }
  /** The server wants its own nonce in it first. */
  | { readonly nonce: string };

export function checkProof(state: FakeAuthState, request: ProvenRequest): Proven {
  const [head, claims] = [0, 1].map((part) => partOf(request.proof ?? "", part));
  const thumbprint = signerOf(request.proof ?? "", head);
  if (thumbprint === null || claims === undefined)
    return { problem: "the proof is not signed by its own key" };
  const { htm, htu, jti, iat, ath, nonce } = claims;
  if (htm !== request.method) return { problem: "the proof is for another method" };
  if (htu !== request.url) return { problem: "the proof is for another address" };
  if (typeof iat !== "number" || Math.abs(Date.now() / 1000 - iat) > 60)
    return { problem: "the proof is old" };
  if (typeof jti !== "string" || state.proofs.has(jti)) {
    state.breaches.push("a proof was used twice");
    return { problem: "the proof was seen before" };
  }
  state.proofs.add(jti);
  if (ath !== hashOf(request.access)) return { problem: "the proof is for another token" };
  const wanted = state.nonces[request.side];
  if (wanted !== null && nonce !== wanted) return { nonce: wanted };
  return { thumbprint };
}

function hashOf(access: string | undefined): string | undefined {
  return access === undefined ? undefined : createHash("sha256").update(access).digest("base64url");
}

function partOf(token: string, part: number): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The thumbprint (RFC 7638) of the key that signed it and stands in its head; null when there is none. */
function signerOf(proof: string, head: Record<string, unknown> | undefined): string | null {
  if (head === undefined || head.typ !== "dpop+jwt" || head.alg !== "ES256" || !isObject(head.jwk))
    return null;
  const { crv, kty, x, y, d } = head.jwk;
  if (d !== undefined || crv !== "P-256" || kty !== "EC") return null;
  const [signed, signature = ""] = [proof.slice(0, proof.lastIndexOf(".")), proof.split(".")[2]];
  const jwk = { crv, kty, x: String(x), y: String(y) };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const good = verify(
    "sha256",
    Buffer.from(signed),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return good ? createHash("sha256").update(JSON.stringify(jwk)).digest("base64url") : null;
}
