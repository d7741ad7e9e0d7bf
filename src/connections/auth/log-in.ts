import type { StoredClient, StoredTokens } from "../../types/auth.ts";
import { askPerson, checkPage } from "./ask-person.ts";
import type { TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { countAttempt, type LoginState, mayAsk } from "./auth-state.ts";
import { chooseClient } from "./client.ts";
import { openLoopback } from "./loopback.ts";
import { isClientRefusal, redeem, TokenRefusal } from "./token-request.ts";

/**
 * One login by a person, from the client to the tokens. They are asked again when the authorization server does not
 * take what they brought back, with the same client at the same port. Rejects with `server_unauthorized`.
 */
export async function logIn(
  state: LoginState,
  context: TokenContext,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly client: StoredClient; readonly tokens: StoredTokens }> {
  const { auth } = context;
  const { login } = state;
  checkPage(context);
  // What a client was registered with is used again when it can be.
  const loopback = auth.redirectUri === undefined ? await openLoopback(login?.client.redirectUri) : null;
  const redirectUri = auth.redirectUri ?? loopback?.redirectUri ?? "";
  try {
    let client = await chooseClient(context, login, redirectUri);
    for (let problem: string | null = null; ; ) {
      countAttempt(state);
      const answer = await askPerson(context, { client, scope, redirectUri, loopback, problem, signal });
      try {
        return { client, tokens: await redeem(context, client, answer, scope) };
      } catch (thrown) {
        if (!(thrown instanceof TokenRefusal)) throw thrown;
        if (!isWorthAnother(thrown, client) || !mayAsk(state)) throw authError(thrown.message, thrown);
        problem = thrown.message;
        // It was forgotten there.
        if (isClientRefusal(thrown)) client = await chooseClient(context, null, redirectUri);
      }
    }
  } finally {
    loopback?.close();
  }
}

/** A code may have ended while it was on its way, and a registration too; everything else would be refused again. */
function isWorthAnother(refusal: TokenRefusal, { origin }: StoredClient): boolean {
  return isClientRefusal(refusal) ? origin === "registration" : refusal.reason === "invalid_grant";
}
