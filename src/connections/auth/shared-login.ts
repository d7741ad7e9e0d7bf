import { untilAborted } from "../wait.ts";
import { authError } from "./auth-error.ts";
import {
  exclusively,
  findIssuer,
  type LoginState,
  load,
  loginOf,
  type SharedLogin,
  save,
} from "./auth-state.ts";
import type { Challenge } from "./challenge.ts";
import { logIn } from "./log-in.ts";
import { isMore, scopeToAsk } from "./scopes.ts";

/** Asks the person once for all who wait; it ends when nobody waits any more. */
export async function joinLogin(
  state: LoginState,
  challenge: Challenge | null,
  refused: string | null,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const asking = state.asking ?? beginLogin(state, challenge, refused);
  asking.waiting += 1;
  try {
    return await untilAborted(asking.answer, signal);
  } finally {
    asking.waiting -= 1;
    if (asking.waiting === 0) asking.abort.abort(signal.reason);
  }
}

function beginLogin(state: LoginState, challenge: Challenge | null, refused: string | null): SharedLogin {
  const abort = new AbortController();
  const answer = ask(state, challenge, refused, abort.signal).finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  const asking: SharedLogin = { answer, abort, waiting: 0 };
  answer.catch(() => {});
  state.asking = asking;
  return asking;
}

async function ask(
  state: LoginState,
  challenge: Challenge | null,
  refused: string | null,
  signal: AbortSignal,
): Promise<string> {
  await load(state);
  const current = state.login?.tokens;
  const enough = challenge?.needsScope !== true || !isMore(challenge.scope, current?.scope);
  if (current && refused !== null && current.access !== refused && enough) return current.access;
  const context = await findIssuer(state, challenge);
  const scope = scopeToAsk(context, context.found, challenge, state.login);
  if (challenge?.needsScope === true && !isMore(scope, state.login?.tokens?.scope))
    throw authError("it refuses access although every scope that it asks for was granted");
  const { client, tokens } = await logIn(state, context, scope, signal);
  const login = loginOf(context, client, tokens);
  await exclusively(state, () => save(state, login));
  return tokens.access;
}
