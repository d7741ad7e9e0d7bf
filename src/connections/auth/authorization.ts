import type { StoredClient, StoredLogin, StoredTokens } from "../../types/auth.ts";
import { untilAborted } from "../wait.ts";
import { type AuthContext, loginKey, type TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import type { Challenge } from "./challenge.ts";
import { checkIssuer } from "./client.ts";
import { discover } from "./discover.ts";
import { logIn } from "./log-in.ts";
import { isMore, scopeToAsk, union } from "./scopes.ts";
import { forClient, isClientRefusal, refresh, TokenRefusal } from "./token-request.ts";

/** The tokens of one connection to a server. */
export interface Authorization {
  /** What to send now, made new when it is about to end; null when there is nothing to send. */
  token(signal: AbortSignal): Promise<string | null>;
  /** Another token after a refusal, without asking anybody; null when that is not possible. */
  renew(challenge: Challenge, refused: string | null, signal: AbortSignal): Promise<string | null>;
  /** Asks a person. Rejects with `server_unauthorized`. */
  logIn(challenge: Challenge | null, refused: string | null, signal: AbortSignal): Promise<string>;
  /** The token was taken. */
  accepted(token: string): void;
}

/** How often one connection asks a person, or the authorization server for the client itself. */
const mostAttempts = 3;
/** Tokens are made new this long before they end, ms, or at nine tenths of their time when that is later. */
const aheadMs = 60_000;
/** Longest wait for somebody else who makes the same token new, ms. */
const lockMs = 60_000;

/** A person is being asked; it ends when nobody waits for it any more. */
interface Asking {
  readonly answer: Promise<string>;
  readonly abort: AbortController;
  waiting: number;
}

interface State {
  readonly context: AuthContext;
  readonly key: string;
  login: StoredLogin | null;
  loaded: boolean;
  attempts: number;
  /** A token that came without a person and was not taken yet: when it is refused, another one would be too. */
  unproven: string | null;
  renewing: Promise<string | null> | null;
  asking: Asking | null;
}

export function createAuthorization(context: AuthContext): Authorization {
  const state: State = {
    context,
    key: loginKey(context),
    login: null,
    loaded: false,
    attempts: 0,
    unproven: null,
    renewing: null,
    asking: null,
  };
  return {
    async token(signal) {
      if (!state.loaded) {
        adopt(state, await context.store.read(state.key));
        state.loaded = true;
      }
      const tokens = state.login?.tokens ?? null;
      if (tokens === null) return null;
      if (!isEnding(tokens, context.clock.wall())) return tokens.access;
      const fresh = await untilAborted(shared(state, null, tokens.access), signal).catch(
        (thrown: unknown) => {
          if (signal.aborted) throw thrown;
          return null;
        },
      );
      const over = (tokens.expiresAt ?? Number.POSITIVE_INFINITY) <= context.clock.wall();
      return fresh ?? (over ? null : tokens.access);
    },
    renew: (challenge, refused, signal) => untilAborted(shared(state, challenge, refused), signal),
    logIn: (challenge, refused, signal) => joinAsking(state, challenge, refused, signal),
    accepted(token) {
      if (state.unproven === token) state.unproven = null;
    },
  };
}

/** One renewal at a time, for all that wait for one. */
function shared(state: State, challenge: Challenge | null, refused: string | null): Promise<string | null> {
  const current = state.login?.tokens?.access;
  if (challenge?.needsScope !== true && current !== undefined && current !== refused)
    return Promise.resolve(current);
  state.renewing ??= renew(state, challenge, refused).finally(() => {
    state.renewing = null;
  });
  return state.renewing;
}

function isEnding({ expiresAt, obtainedAt }: StoredTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= Math.max(expiresAt - aheadMs, obtainedAt + (expiresAt - obtainedAt) * 0.9);
}

async function renew(
  state: State,
  challenge: Challenge | null,
  refused: string | null,
): Promise<string | null> {
  const { context } = state;
  const isClient = context.auth.grant === "client_credentials";
  if (challenge?.needsScope === true && !isClient) {
    await rememberWanted(state, challenge);
    // Somebody else may have asked for more meanwhile.
    const granted = state.login?.tokens;
    return granted && granted.access !== refused && !isMore(challenge.scope, granted.scope)
      ? granted.access
      : null;
  }
  const found = challenge === null ? null : await find(state, challenge);
  return exclusively(state, async () => {
    adopt(state, await context.store.read(state.key));
    const login = state.login;
    if (login?.tokens && login.tokens.access !== refused) return login.tokens.access;
    if (refused !== null && refused === state.unproven && !isClient) return null;
    // Another issuer by now: what the old one gave is worth nothing.
    const same = found === null || login?.issuer === found.found.authorizationServer.issuer;
    if (!isClient) return login?.tokens && same ? refreshLogin(state, login, login.tokens) : null;
    return found === null ? null : obtain(state, found, challenge);
  });
}

async function refreshLogin(state: State, login: StoredLogin, tokens: StoredTokens): Promise<string | null> {
  if (tokens.refresh === undefined) return null;
  const context = ofLogin(state.context, login);
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
function ofLogin(context: AuthContext, login: StoredLogin): TokenContext {
  const { issuer, tokenEndpoint, authMethods, resource } = login;
  return {
    ...context,
    found: {
      resource,
      scopes: [],
      authorizationServer: {
        issuer,
        tokenEndpoint,
        authMethods,
        authorizationEndpoint: null,
        registrationEndpoint: null,
        revocationEndpoint: login.revocationEndpoint ?? null,
        challengeMethods: null,
        scopes: [],
        takesMetadataDocuments: false,
        namesItself: false,
      },
    },
  };
}

async function obtain(state: State, context: TokenContext, challenge: Challenge | null): Promise<string> {
  const { auth, found } = context;
  if (auth.clientId === undefined) throw authError('its "auth" has no "clientId"');
  checkIssuer(context, state.login);
  countAttempt(state);
  const client: StoredClient = { origin: "config", id: auth.clientId };
  const scope = scopeToAsk(context, found, challenge, state.login);
  try {
    const tokens = await forClient(context, client, scope);
    await save(state, loginOf(context, client, tokens));
    return tokens.access;
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown;
    throw authError(`${thrown.message}. Check "clientId" and what stands beside it in its "auth"`, thrown);
  }
}

function loginOf(context: TokenContext, client: StoredClient, tokens: StoredTokens): StoredLogin {
  const { principal, server, found } = context;
  const { issuer, tokenEndpoint, authMethods, revocationEndpoint } = found.authorizationServer;
  return {
    version: 1,
    principal,
    server: server.href,
    issuer,
    resource: found.resource,
    tokenEndpoint,
    authMethods,
    ...(revocationEndpoint === null ? {} : { revocationEndpoint }),
    client,
    tokens,
  };
}

function countAttempt(state: State): void {
  if (state.attempts >= mostAttempts)
    throw authError(`it still refuses access after ${mostAttempts} authorizations`);
  state.attempts += 1;
}

async function joinAsking(
  state: State,
  challenge: Challenge | null,
  refused: string | null,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const asking = state.asking ?? startAsking(state, challenge, refused);
  asking.waiting += 1;
  try {
    return await untilAborted(asking.answer, signal);
  } finally {
    asking.waiting -= 1;
    if (asking.waiting === 0) asking.abort.abort(signal.reason);
  }
}

function startAsking(state: State, challenge: Challenge | null, refused: string | null): Asking {
  const abort = new AbortController();
  const answer = ask(state, challenge, refused, abort.signal).finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  const asking: Asking = { answer, abort, waiting: 0 };
  answer.catch(() => {});
  state.asking = asking;
  return asking;
}

async function ask(
  state: State,
  challenge: Challenge | null,
  refused: string | null,
  signal: AbortSignal,
): Promise<string> {
  const current = state.login?.tokens;
  const enough = challenge?.needsScope !== true || !isMore(challenge.scope, current?.scope);
  if (current && refused !== null && current.access !== refused && enough) return current.access;
  const context = await find(state, challenge);
  for (let again = false; ; again = true) {
    countAttempt(state);
    try {
      const scope = scopeToAsk(context, context.found, challenge, state.login);
      if (challenge?.needsScope === true && !isMore(scope, state.login?.tokens?.scope))
        throw authError("it refuses access although every scope that it asks for was granted");
      const { client, tokens } = await logIn(context, state.login, scope, signal);
      const login = loginOf(context, client, tokens);
      await exclusively(state, () => save(state, login));
      return tokens.access;
    } catch (thrown) {
      if (!(thrown instanceof TokenRefusal)) throw thrown;
      if (again) throw authError(thrown.message, thrown);
      if (isClientRefusal(thrown) && state.login !== null) await exclusively(state, () => save(state, null));
    }
  }
}

async function find(state: State, challenge: Challenge | null): Promise<TokenContext> {
  const { context, login } = state;
  const { sdk, server, fetch, auth } = context;
  const preferred = [auth.issuer, login?.issuer].filter((issuer) => issuer !== undefined);
  return { ...context, found: await discover({ sdk, server, fetch, preferred }, challenge) };
}

/** So that the next login, of this process or another, asks for it as well. */
async function rememberWanted(state: State, challenge: Challenge): Promise<void> {
  await exclusively(state, async () => {
    adopt(state, await state.context.store.read(state.key));
    const { login } = state;
    const wantedScope = union(login?.wantedScope, challenge.scope);
    if (login === null || wantedScope === undefined || wantedScope === login.wantedScope) return;
    await save(state, { ...login, wantedScope });
  });
}

async function save(state: State, login: StoredLogin | null): Promise<void> {
  await state.context.store.write(state.key, login);
  state.login = login;
}

function adopt(state: State, login: StoredLogin | null): void {
  const { secrets, id } = state.context;
  state.login = login;
  if (login === null) return;
  const { tokens, client } = login;
  if (tokens !== null) secrets.register(`${id} access token`, tokens.access);
  if (tokens?.refresh !== undefined) secrets.register(`${id} refresh token`, tokens.refresh);
  if (client.secret !== undefined) secrets.register(`${id} client secret`, client.secret);
}

async function exclusively<T>({ context, key }: State, work: () => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const cancel = context.clock.after(lockMs, () =>
    abort.abort(authError("another process keeps its login locked; end that process")),
  );
  try {
    return await context.store.exclusive(key, abort.signal, work);
  } finally {
    cancel();
  }
}
