import type { StoredClient, StoredLogin, StoredTokens } from "../../types/auth.ts";
import { askPerson } from "./ask-person.ts";
import type { TokenContext } from "./auth-context.ts";
import { chooseClient } from "./client.ts";
import { openLoopback } from "./loopback.ts";
import { redeem } from "./token-request.ts";

/**
 * One authorization by a person, from the client to the tokens. Rejects with a `TokenRefusal` when the code was not
 * taken, else with `server_unauthorized`.
 */
export async function logIn(
  context: TokenContext,
  login: StoredLogin | null,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly client: StoredClient; readonly tokens: StoredTokens }> {
  const { auth } = context;
  // What a client was registered with is used again when it can be.
  const loopback = auth.redirectUri === undefined ? await openLoopback(login?.client.redirectUri) : null;
  const redirectUri = auth.redirectUri ?? loopback?.redirectUri ?? "";
  try {
    const client = await chooseClient(context, login, redirectUri);
    const answer = await askPerson(context, { client, scope, redirectUri, loopback, signal });
    return { client, tokens: await redeem(context, client, answer, scope) };
  } finally {
    loopback?.close();
  }
}
