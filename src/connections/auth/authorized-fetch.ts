import type { HttpServerConfig } from "../../types/config.ts";
import type { OpenContext } from "../connection.ts";
import type { Sdk } from "../sdk.ts";
import { isThisMachine } from "./address-kind.ts";
import { authError, loginCommand } from "./auth-error.ts";
import { type Authorization, createAuthorization } from "./authorization.ts";
import { type Challenge, readChallenge } from "./challenge.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { waitForPerson } from "./person-wait.ts";

/** Access to one server, for one connection. */
export interface Access {
  /** The server's `fetch`: with the token of the moment, and with another one when that is refused. */
  readonly fetch: typeof fetch;
  /**
   * Asks the person whom a request wanted while the connection was opened; false when none did. Rejects with
   * `server_unauthorized` where nobody can be asked, and when they said no.
   */
  askIfWanted(signal: AbortSignal): Promise<boolean>;
  /** From now on a call that wants a person asks them by itself. */
  opened(): void;
}

/** Null where the config says itself what every request carries. */
export function createAccess(sdk: Sdk, config: HttpServerConfig, context: OpenContext): Access | null {
  const names = Object.keys(config.headers ?? {}).map((name) => name.toLowerCase());
  const { access } = context;
  if (access === null || names.includes("authorization")) return null;
  const server = new URL(config.url);
  const auth = config.auth ?? {};
  const { fetch, clock, secrets, server: id } = context;
  const guarded = createGuardedFetch({
    fetch,
    clock,
    server,
    allowPrivateNetwork: auth.allowPrivateNetwork === true,
  });
  const authorization = createAuthorization({
    sdk,
    id,
    server,
    auth,
    fetch: guarded,
    plainFetch: fetch,
    clock,
    secrets,
    ...access,
  });
  return accessBy(sdk, { id, server, fetch, authorization, canAsk: access.authorize !== null });
}

interface AccessParts {
  readonly id: string;
  readonly server: URL;
  readonly fetch: typeof fetch;
  readonly authorization: Authorization;
  readonly canAsk: boolean;
}

interface Wanted {
  readonly challenge: Challenge;
  readonly refused: string | null;
}

/** Tokens in a row that one request may try. */
const mostTries = 4;
const never = new AbortController().signal;

function accessBy(sdk: Sdk, { id, server, fetch, authorization, canAsk }: AccessParts): Access {
  let isOpen = false;
  let wanted: Wanted | null = null;

  /** Another token, or null when the refusal is the answer. */
  async function next(
    challenge: Challenge,
    refused: string | null,
    init: RequestInit,
  ): Promise<string | null> {
    const signal = init.signal ?? never;
    const renewed = await authorization.renew(challenge, refused, signal);
    if (renewed !== null) return renewed;
    if (!isOpen) {
      wanted = { challenge, refused };
      return null;
    }
    // Streams that the host opens by itself are no reason to ask a person.
    if (init.method !== "POST") return null;
    if (!canAsk) throw loginNeeded(id, challenge);
    return waitForPerson(() => authorization.logIn(challenge, refused, signal));
  }

  return {
    async fetch(input, init = {}) {
      const url = new URL(typeof input === "object" && "url" in input ? input.url : input);
      if (url.origin !== server.origin) return fetch(input, init);
      let token = await authorization.token(init.signal ?? never);
      if (token !== null) checkSecure(server);
      for (let tries = 1; ; tries++) {
        const response =
          token === null ? await fetch(input, init) : await authorization.present(fetch, input, init, token);
        const challenge = readChallenge(sdk, response);
        if (challenge === null || tries === mostTries) {
          if (token !== null && challenge === null) authorization.accepted(token);
          return response;
        }
        checkSecure(server);
        token = await next(challenge, token, init);
        if (token === null) return response;
        await response.body?.cancel();
      }
    },
    async askIfWanted(signal) {
      if (wanted === null) return false;
      const { challenge, refused } = wanted;
      wanted = null;
      if (!canAsk) throw loginNeeded(id, challenge);
      await authorization.logIn(challenge, refused, signal);
      return true;
    },
    opened() {
      isOpen = true;
      wanted = null;
    },
  };
}

/** Tokens are for encrypted connections (OAuth 2.1, section 1.5); on this machine nobody listens in. */
function checkSecure(server: URL): void {
  if (server.protocol !== "https:" && !isThisMachine(server))
    throw authError('it asks for an authorization, and its "url" is not https');
}

function loginNeeded(id: string, { needsScope, scope }: Challenge): Error {
  const what = needsScope
    ? `it wants more access${scope === undefined ? "" : ` (${scope})`}`
    : "it wants a login";
  return authError(`${what}. Run: ${loginCommand(id)}`);
}
