import { createHash } from "node:crypto";
import type { DpopSession } from "@modelcontextprotocol/client";
import type { ProofKey, ServerAuth, StoredTokens } from "../../types/auth.ts";
import type { Sdk } from "../sdk.ts";
import { authError } from "./auth-error.ts";
import type { Challenge } from "./challenge.ts";
import type { Discovered } from "./discover.ts";

/** The only algorithm: every server that knows proofs knows it. */
const proofAlgorithm = "ES256";
const curve = { name: "ECDSA", namedCurve: "P-256" };

/** A key that tokens are bound to, and what signs with it. */
export interface Proof {
  readonly key: ProofKey;
  /** It knows the nonces of each origin (RFC 9449 sections 8 and 9). */
  readonly session: DpopSession;
}

/** The keys of one connection: each has one session, so that a nonce is asked for once. */
export interface Proofs {
  /** Null: a token is for whoever has it. */
  of(key: ProofKey | undefined): Promise<Proof | null>;
  create(): Promise<Proof>;
  /** The key of a token comes with it, and is remembered for requests with that token. */
  learn(tokens: StoredTokens | null): void;
  ofToken(access: string): Promise<Proof | null>;
}

/** Tokens whose keys are remembered: requests with the one before the last are none of interest any more. */
const mostTokens = 8;

export function createProofs(sdk: Sdk): Proofs {
  const sessions = new Map<string, Promise<Proof>>();
  const keys = new Map<string, ProofKey>();

  async function of(key: ProofKey | undefined): Promise<Proof | null> {
    if (key === undefined) return null;
    const known = sessions.get(key.x) ?? open(sdk, key);
    sessions.set(key.x, known);
    return known.catch((thrown: unknown) => {
      throw authError("the key that its login is bound to cannot be used; log out and in again", thrown);
    });
  }

  return {
    of,
    async create() {
      const pair = await crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
      const { x = "", y = "", d = "" } = await crypto.subtle.exportKey("jwk", pair.privateKey);
      const proof = open(sdk, { x, y, d });
      sessions.set(x, proof);
      return proof;
    },
    learn(tokens) {
      if (tokens?.proofKey === undefined) return;
      keys.delete(tokens.access);
      keys.set(tokens.access, tokens.proofKey);
      const [oldest] = keys.keys();
      if (keys.size > mostTokens && oldest !== undefined) keys.delete(oldest);
    },
    ofToken: (access) => of(keys.get(access)),
  };
}

/** @throws DOMException for a key that is none. */
async function open(sdk: Sdk, key: ProofKey): Promise<Proof> {
  const publicJwk = { kty: "EC", crv: "P-256", x: key.x, y: key.y };
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("jwk", { ...publicJwk, d: key.d }, curve, false, ["sign"]),
    crypto.subtle.importKey("jwk", publicJwk, curve, true, ["verify"]),
  ]);
  // The members in the order of their names, and no others (RFC 7638).
  const { crv, kty, x, y } = publicJwk;
  const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  const keyPair = { privateKey, publicKey, publicJwk, thumbprint, alg: proofAlgorithm } as const;
  return { key, session: await sdk.DpopSession.create({ keyPair }) };
}

/**
 * Whether the tokens are to be bound to a key: when both sides can, and the resource asks for it; always when the
 * config says so. An authorization server alone says little: many offer it for resources that cannot read a proof.
 * @throws HostError `server_unauthorized` when they have to be and cannot.
 */
export function wantsProof(auth: ServerAuth, found: Discovered, challenge: Challenge | null): boolean {
  const { issuer, proofAlgorithms } = found.authorizationServer;
  if (auth.dpop === false) return false;
  const isNeeded = auth.dpop === true || found.proofs === "required";
  if (!proofAlgorithms.includes(proofAlgorithm)) {
    if (!isNeeded) return false;
    const who = auth.dpop === true ? 'its "auth" wants' : "it takes only";
    throw authError(
      `${who} tokens that are bound to a key, and ${issuer} gives none (DPoP with ${proofAlgorithm})`,
    );
  }
  return isNeeded || found.proofs === "offered" || challenge?.takesProofs === true;
}
