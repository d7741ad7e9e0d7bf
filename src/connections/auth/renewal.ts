import type { StoredClient, StoredLogin, StoredTokens } from "../../types/auth.ts";
import { isUnattended, type TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import {
  adopt,
  countAttempt,
  exclusively,
  findIssuer,
  type LoginState,
  loginOf,
  save,
} from "./auth-state.ts";
import type { Challenge } from "./challenge.ts";
import { checkIssuer } from "./client.ts";
import { ownGrant } from "./own-grant.ts";
import { isMore, scopeToAsk, union } from "./scopes.ts";
import { isClientRefusal, refresh, TokenRefusal } from "./token-request.ts";

/** A refusal of what the config holds is the answer to everything that is asked within this time, ms. */
const refusalMs = 30_000;

/** One renewal at a time, for all that wait for one. */
export function renewOnce(
  state: LoginState,
  challenge: Challenge | null,
  refused: string | null,
): Promise<string | null> {
  const current = state.login?.tokens?.access;
  if (challenge?.needsScope !== true && current !== undefined && current !== refused)
    return Promise.resolve(current);
  state.renewing ??= renew(state, challenge, refused).finally(() => {
    state.renewing = null;
  });
  return state.renewing;
}

async function renew(
  state: LoginState,
  challenge: Challenge | null,
  refused: string | null,
): Promise<string | null> {
  const { context } = state;
  const isAlone = isUnattended(context.auth);
  if (challenge?.needsScope === true && !isAlone) {
    await rememberWanted(state, challenge);
    // Somebody else may have asked for more meanwhile.
    const granted = state.login?.tokens;
    return granted && granted.access !== refused && !isMore(challenge.scope, granted.scope)
      ? granted.access
      : null;
  }
  adopt(state, await context.store.read(state.key));
  const tokens = state.login?.tokens ?? null;
  if (tokens !== null && tokens.access !== refused) return tokens.access;
  if (tokens?.refresh === undefined && !isAlone) return null;
  const found = challenge === null ? null : await findIssuer(state, challenge);
  return exclusively(state, async () => {
    adopt(state, await context.store.read(state.key));
    const login = state.login;
    if (login?.tokens && login.tokens.access !== refused) return login.tokens.access;
    if (refused !== null && refused === state.unproven && !isAlone) return null;
    // Another issuer by now: what the old one gave is worth nothing.
    const same = found === null || login?.issuer === found.found.authorizationServer.issuer;
    if (!isAlone) return login?.tokens && same ? refreshLogin(state, login, login.tokens) : null;
    return found === null ? null : obtain(state, found, challenge);
  });
}

async function refreshLogin(
  state: LoginState,
  login: StoredLogin,
  tokens: StoredTokens,
): Promise<string | null> {
  if (tokens.refresh === undefined) return null;
  const context = await ofLogin(state, login, tokens);
  try {
    const fresh = await refresh(context, login.client, { ...tokens, refresh: tokens.refresh });
    const kept = { ...fresh, refresh: fresh.refresh ?? tokens.refresh };
    await save(state, { ...login, tokens: kept });
    state.unproven = kept.access;
    return kept.access;
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown;
    if (isClientRefusal(thrown) && login.client.origin === "registration") await save(state, null);
    else await save(state, { ...login, tokens: null });
    return null;
  }
}

/** What the endpoints of a stored login were when it was made. */
async function ofLogin(
  { context, proofs }: LoginState,
  login: StoredLogin,
  { proofKey }: StoredTokens,
): Promise<TokenContext> {
  const { issuer, tokenEndpoint, authMethods, resource } = login;
  return {
    ...context,
    proof: await proofs.of(proofKey),
    found: {
      resource,
      scopes: [],
      proofs: "none",
      authorizationServer: {
        issuer,
        tokenEndpoint,
        authMethods,
        authorizationEndpoint: null,
        registrationEndpoint: null,
        revocationEndpoint: login.revocationEndpoint ?? null,
        challengeMethods: null,
        proofAlgorithms: [],
        scopes: [],
        takesMetadataDocuments: false,
        namesItself: false,
      },
    },
  };
}

async function obtain(
  state: LoginState,
  context: TokenContext,
  challenge: Challenge | null,
): Promise<string> {
  const { auth, found } = context;
  if (auth.clientId === undefined) throw authError('its "auth" has no "clientId"');
  checkIssuer(context, state.login);
  if (state.refusal !== null && context.clock.wall() < state.refusal.until) throw state.refusal.error;
  countAttempt(state);
  const client: StoredClient = { origin: "config", id: auth.clientId };
  const scope = scopeToAsk(context, found, challenge, state.login);
  try {
    const tokens = await ownGrant(context, client, scope);
    await save(state, loginOf(context, client, tokens));
    return tokens.access;
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown;
    const what = `${thrown.message}. Check "clientId" and what stands beside it in its "auth"`;
    state.refusal = { error: authError(what, thrown), until: context.clock.wall() + refusalMs };
    throw state.refusal.error;
  }
}

/** So that the next login, of this process or another, asks for it as well. */
async function rememberWanted(state: LoginState, challenge: Challenge): Promise<void> {
  await exclusively(state, async () => {
    adopt(state, await state.context.store.read(state.key));
    const { login } = state;
    const wantedScope = union(login?.wantedScope, challenge.scope);
    if (login === null || wantedScope === undefined || wantedScope === login.wantedScope) return;
    await save(state, { ...login, wantedScope });
  });
}
