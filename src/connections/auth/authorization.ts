import type { StoredTokens } from "../../types/auth.ts";
import { untilAborted } from "../wait.ts";
import type { AuthContext } from "./auth-context.ts";
import { createLoginState, load } from "./auth-state.ts";
import type { Challenge } from "./challenge.ts";
import { present } from "./present.ts";
import { renewOnce } from "./renewal.ts";
import { joinLogin } from "./shared-login.ts";

/** Tokens are made new this long before they end, ms, or at nine tenths of their time when that is later. */
const aheadMs = 60_000;

/** The tokens of one connection to a server. */
export interface Authorization {
  /** What to send now, made new when it is about to end; null when there is nothing to send. */
  token(signal: AbortSignal): Promise<string | null>;
  /** Another token after a refusal, without asking anybody; null when that is not possible. */
  renew(challenge: Challenge, refused: string | null, signal: AbortSignal): Promise<string | null>;
  /** Asks a person. Rejects with `server_unauthorized`. */
  logIn(challenge: Challenge | null, refused: string | null, signal: AbortSignal): Promise<string>;
  /** Sends a request to the server with a token. */
  present(
    fetch: typeof globalThis.fetch,
    input: string | URL | Request,
    init: RequestInit,
    token: string,
  ): Promise<Response>;
  /** The token was taken. */
  accepted(token: string): void;
}

export function createAuthorization(context: AuthContext): Authorization {
  const state = createLoginState(context);
  return {
    async token(signal) {
      await load(state);
      const tokens = state.login?.tokens ?? null;
      if (tokens === null) return null;
      if (!isEnding(tokens, context.clock.wall())) return tokens.access;
      const fresh = await untilAborted(renewOnce(state, null, tokens.access), signal).catch(
        (thrown: unknown) => {
          if (signal.aborted) throw thrown;
          return null;
        },
      );
      const over = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) <= context.clock.wall();
      return fresh ?? (over ? null : tokens.access);
    },
    renew: (challenge, refused, signal) => untilAborted(renewOnce(state, challenge, refused), signal),
    logIn: (challenge, refused, signal) => joinLogin(state, challenge, refused, signal),
    present: (fetch, input, init, token) =>
      present({ sdk: context.sdk, proofs: state.proofs, fetch }, input, init, token),
    accepted(token) {
      if (state.unproven === token) state.unproven = null;
    },
  };
}

function isEnding({ expiresAt, obtainedAt }: StoredTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= Math.max(expiresAt - aheadMs, obtainedAt + (expiresAt - obtainedAt) * 0.9);
}
