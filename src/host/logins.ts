import { createSecrets } from "../audit/secrets.ts";
import { readEnvironment } from "../config/environment.ts";
import { checkServers } from "../config/servers.ts";
import { settingsPathsOf } from "../config/settings-paths.ts";
import { type AuthContext, isUnattended } from "../connections/auth/auth-context.ts";
import { createAuthorization } from "../connections/auth/authorization.ts";
import { createGuardedFetch } from "../connections/auth/guarded-fetch.ts";
import { probe } from "../connections/auth/probe.ts";
import { type RevocationContext, revoke } from "../connections/auth/revoke.ts";
import { createFailures } from "../connections/failure.ts";
import { createKeepAliveFetch } from "../connections/keep-alive-fetch.ts";
import { loadSdk } from "../connections/sdk.ts";
import { HostError } from "../errors.ts";
import { tokensFolder } from "../stores/file-stores.ts";
import { createTokenFiles } from "../stores/token-files.ts";
import type { Authorize, ServerAuth, StoredLogin, TokenStore } from "../types/auth.ts";
import type { HttpServerConfig, ServerConfig } from "../types/config.ts";
import type { HostFetch } from "../types/fetch.ts";
import { systemClock as clock } from "../util/clock.ts";
import { principalOf } from "./principal.ts";
import { registerSecrets } from "./register-secrets.ts";

/** A login that is kept, without its tokens. */
export interface Login {
  /** The MCP server. */
  readonly url: string;
  readonly issuer: string;
  /** What was granted; empty when the issuer does not say. */
  readonly scopes: readonly string[];
  /** ISO 8601, UTC: when the access token ends. Absent when the issuer does not say. */
  readonly endsAt?: string;
  /** Whether it is made new without a person. */
  readonly isRenewed: boolean;
}

export interface LoginOptions {
  /** The state folder. Default: the one of `createHost`. */
  readonly state?: string;
  /** Default: the operating system's user name. */
  readonly principal?: string;
}

export interface LogInOptions extends LoginOptions {
  readonly authorize: Authorize;
  readonly signal?: AbortSignal;
}

/** What became of logins that were to be forgotten. */
export interface LogOutReport {
  /** How many there were. */
  readonly forgotten: number;
  /** How many of them the authorization server took back. The others end there by themselves. */
  readonly revoked: number;
}

/**
 * Logs in to an HTTP server, whether or not there is a login already, and keeps it for every host with this state
 * folder. Null when the server asks for no login.
 * @throws HostError `config_invalid` for a server without a URL or with an `Authorization` header of its own;
 * `server_unauthorized`, `store_failed`
 */
export async function logIn(id: string, config: ServerConfig, options: LogInOptions): Promise<Login | null> {
  const http = checkedServer(id, config);
  const { signal = new AbortController().signal, authorize } = options;
  return withContext(id, http, { ...options, authorize }, async ({ context, fetch, store, principal }) => {
    const { sdk } = context;
    const authorization = createAuthorization(context);
    const challenge = await probe(sdk, fetch, http, signal);
    if (challenge === null) return null;
    const token = isUnattended(context.auth)
      ? await authorization.renew(challenge, null, signal)
      : await authorization.logIn(challenge, null, signal);
    const withToken: typeof fetch = (input, init = {}) =>
      token === null ? fetch(input, init) : authorization.present(fetch, input, init, token);
    if ((await probe(sdk, withToken, http, signal)) !== null)
      throw new HostError("server_unauthorized", "it refuses what the authorization server gave");
    const logins = await loginsAt(store, principal, http.url);
    const [newest] = logins.map(([, login]) => login).sort((a, b) => obtained(b) - obtained(a));
    return newest === undefined ? null : summaryOf(newest);
  });
}

/** Forgets every login at a server, and has its tokens taken back where the authorization server can do that. */
export async function logOut(
  id: string,
  config: ServerConfig,
  options: LoginOptions = {},
): Promise<LogOutReport> {
  const http = checkedServer(id, config);
  return withContext(id, http, options, async ({ context, store, principal }) =>
    forget(store, await loginsAt(store, principal, http.url), context),
  );
}

/** The same for every login of the principal. Secrets of configured clients are not known here. */
export async function logOutEverywhere(options: LoginOptions = {}): Promise<LogOutReport> {
  const { store, principal } = openStore(options);
  const fetch = createKeepAliveFetch({ environment: readEnvironment() });
  const found = (await store.list()).filter(([, login]) => login.principal === principal);
  const reports: LogOutReport[] = [];
  try {
    const sdk = await loadSdk();
    for (const entry of found) {
      const guard = createGuardedFetch({
        fetch,
        clock,
        server: new URL(entry[1].server),
        allowPrivateNetwork: false,
      });
      reports.push(await forget(store, [entry], { sdk, fetch: guard, auth: {} }));
    }
  } finally {
    fetch.close?.();
  }
  const sum = (count: (report: LogOutReport) => number) => reports.reduce((all, one) => all + count(one), 0);
  return { forgotten: sum(({ forgotten }) => forgotten), revoked: sum(({ revoked }) => revoked) };
}

/** Every login of the principal, by URL. */
export async function listLogins(options: LoginOptions = {}): Promise<readonly Login[]> {
  const { store, principal } = openStore(options);
  const found = (await store.list()).map(([, login]) => login);
  return found
    .filter((login) => login.principal === principal && login.tokens !== null)
    .map(summaryOf)
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

type Entry = readonly [key: string, login: StoredLogin];

interface LoginContext {
  readonly context: AuthContext;
  /** For the server itself. */
  readonly fetch: HostFetch;
  readonly store: TokenStore;
  readonly principal: string;
}

async function withContext<T>(
  id: string,
  config: HttpServerConfig,
  options: LoginOptions & { readonly authorize?: Authorize },
  work: (context: LoginContext) => Promise<T>,
): Promise<T> {
  const secrets = createSecrets();
  registerSecrets(id, config, secrets);
  const fetch = createKeepAliveFetch({ environment: readEnvironment() });
  const { store, principal } = openStore(options);
  const server = new URL(config.url);
  const auth: ServerAuth = config.auth ?? {};
  const allowPrivateNetwork = auth.allowPrivateNetwork === true;
  const guarded = createGuardedFetch({ fetch, clock, server, allowPrivateNetwork });
  const parts = { id, server, auth, principal, store, fetch: guarded, plainFetch: fetch, clock, secrets };
  try {
    const context = { ...parts, sdk: await loadSdk(), authorize: options.authorize ?? null };
    return await work({ context, fetch, store, principal });
  } catch (thrown) {
    if (!(thrown instanceof HostError) || !thrown.code.startsWith("server_")) throw thrown;
    throw createFailures(id, config, secrets).fromThrown(thrown);
  } finally {
    fetch.close?.();
  }
}

function openStore({ state, principal }: LoginOptions): {
  readonly store: TokenStore;
  readonly principal: string;
} {
  const { stateFolder } = settingsPathsOf(readEnvironment(), state);
  return {
    store: createTokenFiles(tokensFolder(stateFolder), clock),
    principal: principalOf({ principal }),
  };
}

function checkedServer(id: string, config: ServerConfig): HttpServerConfig {
  checkServers({ [id]: config }, (name) => name);
  const invalid = (what: string) => new HostError("config_invalid", `Server ${JSON.stringify(id)} ${what}.`);
  if (!("url" in config)) throw invalid("is started on this computer, and there is nothing to log in to");
  const names = Object.keys(config.headers ?? {}).map((name) => name.toLowerCase());
  if (names.includes("authorization"))
    throw invalid('has an "Authorization" header, which takes the place of a login');
  return config;
}

async function loginsAt(store: TokenStore, principal: string, url: string): Promise<readonly Entry[]> {
  const { href } = new URL(url);
  return (await store.list()).filter(([, login]) => login.principal === principal && login.server === href);
}

async function forget(
  store: TokenStore,
  entries: readonly Entry[],
  context: RevocationContext,
): Promise<LogOutReport> {
  let revoked = 0;
  for (const [key, seen] of entries) {
    const { signal } = new AbortController();
    // Nobody makes tokens new that are just being taken back.
    const done = await store.exclusive(key, signal, async () => {
      const taken = await revoke(context, (await store.read(key)) ?? seen);
      await store.write(key, null);
      return taken;
    });
    if (done) revoked += 1;
  }
  return { forgotten: entries.length, revoked };
}

function obtained({ tokens }: StoredLogin): number {
  return tokens?.obtainedAt ?? 0;
}

function summaryOf({ server, issuer, tokens }: StoredLogin): Login {
  return {
    url: server,
    issuer,
    scopes: tokens?.scope?.split(" ").filter((scope) => scope !== "") ?? [],
    ...(tokens?.expiresAt === undefined ? {} : { endsAt: new Date(tokens.expiresAt).toISOString() }),
    isRenewed: tokens?.refresh !== undefined,
  };
}
