import type { Authorize, ServerAuth, TokenStore } from "../../types/auth.ts";
import type { Clock, Secrets } from "../../types/ports.ts";
import type { Sdk } from "../sdk.ts";
import type { Discovered } from "./discover.ts";
import type { Proof } from "./proof.ts";

/** What the authorization of one server is made of. */
export interface AuthContext {
  readonly sdk: Sdk;
  /** The id of the server. */
  readonly id: string;
  readonly server: URL;
  readonly auth: ServerAuth;
  readonly principal: string;
  readonly store: TokenStore;
  /** The guarded one: for what the server's metadata leads to. */
  readonly fetch: typeof fetch;
  /** Not guarded yet: for what the config itself names. */
  readonly plainFetch: typeof fetch;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Null where there is nobody to ask. */
  readonly authorize: Authorize | null;
}

/** One request to an authorization server for tokens. */
export interface TokenContext extends AuthContext {
  readonly found: Discovered;
  /** The key that the tokens are to be bound to; null: to none. */
  readonly proof: Proof | null;
}

/** Whether the host gets its tokens by itself: nobody is asked. */
export function isUnattended({ grant = "authorization_code" }: ServerAuth): boolean {
  return grant !== "authorization_code";
}

/** Logins of one principal at one server by one client have one key. */
export function loginKey({
  principal,
  server,
  auth,
}: Pick<AuthContext, "principal" | "server" | "auth">): string {
  const { grant = "authorization_code", clientId = null, clientMetadataUrl = null, issuer = null } = auth;
  const url = new URL(server);
  url.hash = "";
  const vouching = auth.identityProvider === undefined ? [] : [auth.identityProvider.issuer];
  const bound = auth.dpop === true ? ["dpop"] : [];
  return JSON.stringify([
    principal,
    url.href,
    grant,
    clientId,
    clientMetadataUrl,
    issuer,
    ...vouching,
    ...bound,
  ]);
}
