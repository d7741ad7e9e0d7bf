import type { Authorize, ServerAuth, TokenStore } from "../../types/auth.ts";
import type { Clock, Secrets } from "../../types/ports.ts";
import type { Sdk } from "../sdk.ts";
import type { Discovered } from "./discover.ts";

/** What the authorization of one server is made of. */
export interface AuthContext {
  readonly sdk: Sdk;
  /** The id of the server. */
  readonly id: string;
  readonly server: URL;
  readonly auth: ServerAuth;
  readonly principal: string;
  readonly store: TokenStore;
  /** The guarded one. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Null where there is nobody to ask. */
  readonly authorize: Authorize | null;
}

/** One request to an authorization server for tokens. */
export interface TokenContext extends AuthContext {
  readonly found: Discovered;
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
  return JSON.stringify([principal, url.href, grant, clientId, clientMetadataUrl, issuer]);
}
