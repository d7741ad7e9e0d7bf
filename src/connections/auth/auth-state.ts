import type { HostError } from "../../errors.ts";
import type { StoredClient, StoredLogin, StoredTokens } from "../../types/auth.ts";
import { type AuthContext, loginKey, type TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import type { Challenge } from "./challenge.ts";
import { discover } from "./discover.ts";
import { checkUrl } from "./guarded-fetch.ts";
import { createProofs, type Proofs, wantsProof } from "./proof.ts";

/** How often one connection asks a person, or the authorization server for the client itself. */
const mostAttempts = 3;
/** Longest wait for somebody else who makes the same token new, ms. */
const lockMs = 60_000;

/** A login by a person that all who need it wait for; it ends when nobody waits for it any more. */
export interface SharedLogin {
  readonly answer: Promise<string>;
  readonly abort: AbortController;
  waiting: number;
}

/** What is known of the login of one connection. */
export interface LoginState {
  readonly context: AuthContext;
  readonly key: string;
  readonly proofs: Proofs;
  login: StoredLogin | null;
  loaded: boolean;
  attempts: number;
  /** A token that came without a person and was not taken yet: when it is refused, another one would be too. */
  unproven: string | null;
  /** Why the host itself got no tokens, and until when (wall clock, ms) nobody tries again. */
  refusal: { readonly error: HostError; readonly until: number } | null;
  renewing: Promise<string | null> | null;
  asking: SharedLogin | null;
}

export function createLoginState(context: AuthContext): LoginState {
  return {
    context,
    key: loginKey(context),
    proofs: createProofs(context.sdk),
    login: null,
    loaded: false,
    attempts: 0,
    unproven: null,
    refusal: null,
    renewing: null,
    asking: null,
  };
}

/** Whether a person, or the authorization server, may be asked once more. */
export function mayAsk({ attempts }: LoginState): boolean {
  return attempts < mostAttempts;
}

export function countAttempt(state: LoginState): void {
  if (!mayAsk(state)) throw authError(`it still refuses access after ${mostAttempts} authorizations`);
  state.attempts += 1;
}

/** Asks the server who authorizes for it. */
export async function findIssuer(state: LoginState, challenge: Challenge | null): Promise<TokenContext> {
  const { context, login } = state;
  const { sdk, server, fetch, auth } = context;
  const preferred = [auth.issuer, login?.issuer].filter((issuer) => issuer !== undefined);
  const found = await discover({ sdk, server, fetch, preferred }, challenge);
  // Before a person is asked for what could not be redeemed.
  const allowPrivateNetwork = auth.allowPrivateNetwork === true;
  checkUrl(new URL(found.authorizationServer.tokenEndpoint), { server, allowPrivateNetwork });
  if (!wantsProof(auth, found, challenge)) return { ...context, found, proof: null };
  // Refresh tokens are bound to the key as well (RFC 9449 section 5), so a login keeps the one that it has.
  const same = login?.issuer === found.authorizationServer.issuer ? login.tokens?.proofKey : undefined;
  return { ...context, found, proof: (await state.proofs.of(same)) ?? (await state.proofs.create()) };
}

export function loginOf(context: TokenContext, client: StoredClient, tokens: StoredTokens): StoredLogin {
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

/** Keeps a login; only inside `exclusively`. */
export async function save(state: LoginState, login: StoredLogin | null): Promise<void> {
  // First: where it cannot be written, this process still has the only refresh token that is good.
  adopt(state, login);
  await state.context.store.write(state.key, login);
}

/** Reads what is kept, once. */
export async function load(state: LoginState): Promise<void> {
  if (state.loaded) return;
  adopt(state, await state.context.store.read(state.key));
  state.loaded = true;
}

/** Takes a login as the store has it; its secrets are known as such from here on. */
export function adopt(state: LoginState, login: StoredLogin | null): void {
  const { secrets, id } = state.context;
  state.login = login;
  state.proofs.learn(login?.tokens ?? null);
  if (login === null) return;
  const { tokens, client } = login;
  if (tokens !== null) secrets.register(`${id} access token`, tokens.access);
  if (tokens?.proofKey !== undefined) secrets.register(`${id} proof key`, tokens.proofKey.d);
  if (tokens?.refresh !== undefined) secrets.register(`${id} refresh token`, tokens.refresh);
  if (client.secret !== undefined) secrets.register(`${id} client secret`, client.secret);
}

/** Runs the work while nobody else changes this login, in this process or another. */
export async function exclusively<T>({ context, key }: LoginState, work: () => Promise<T>): Promise<T> {
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
