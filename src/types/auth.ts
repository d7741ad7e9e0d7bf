/** How the host is authorized at one HTTP server (MCP 2026-07-28, authorization). All of it may be left out. */
export interface ServerAuth {
  /** `client_credentials`: the host acts for itself and nobody is asked. Default: `authorization_code`. */
  readonly grant?: "authorization_code" | "client_credentials";
  /** A client that was registered at the authorization server before. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PKCS #8 PEM: the client signs assertions with it in the place of a secret (`private_key_jwt`, RFC 7523). */
  readonly privateKey?: string;
  /** The JWS algorithm of `privateKey`. Default: `ES256`. */
  readonly algorithm?: string;
  /** An https URL with the host's own client metadata document, used where the authorization server takes one. */
  readonly clientMetadataUrl?: string;
  /** Asked for beside what the server asks for. */
  readonly scopes?: readonly string[];
  /** The only authorization server that gets this client's credentials. Default: the first one that did. */
  readonly issuer?: string;
  /** Where the person is sent back to. Default: a port of this machine, 127.0.0.1, that is open meanwhile. */
  readonly redirectUri?: string;
  /**
   * Whether what the server's metadata names may be in a private network although the server itself is not.
   * Default: false.
   */
  readonly allowPrivateNetwork?: boolean;
}

/** A person is needed: they visit `url`, agree there, and are sent back to `redirectUri`. */
export interface AuthorizationRequest {
  /** The id of the server that wants it. */
  readonly server: string;
  /** To be shown whole, and opened only when the person wants that. It comes from outside: escape it. */
  readonly url: string;
  /** The authorization server. */
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal;
}

/**
 * Takes a person through an authorization. Resolves with the URL that the browser was sent back to, or with nothing
 * once the request is shown: then the host waits at `redirectUri` itself. Rejecting means no.
 */
export type Authorize = (request: AuthorizationRequest) => Promise<string | URL | undefined> | undefined;

/** The client that the host is to one authorization server. */
export interface StoredClient {
  /** `config`: its secret is in the config and not kept here. */
  readonly origin: "config" | "document" | "registration";
  readonly id: string;
  readonly secret?: string;
  /** Milliseconds since the epoch. */
  readonly secretExpiresAt?: number;
  /** `token_endpoint_auth_method` (RFC 7591). */
  readonly authMethod?: string;
  /** What it was registered with. */
  readonly redirectUri?: string;
}

export interface StoredTokens {
  readonly access: string;
  readonly refresh?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Milliseconds since the epoch. */
  readonly obtainedAt: number;
  /** What was granted, separated by spaces. */
  readonly scope?: string;
}

/** What is kept of the authorization at one server: of one principal, one issuer, one resource and one client. */
export interface StoredLogin {
  readonly version: 1;
  readonly principal: string;
  /** The MCP server's URL. */
  readonly server: string;
  readonly issuer: string;
  /** RFC 8707. */
  readonly resource: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  /** `token_endpoint_auth_methods_supported` of the issuer; empty when it does not say. */
  readonly authMethods: readonly string[];
  readonly client: StoredClient;
  /** Null: they are of no use any more. */
  readonly tokens: StoredTokens | null;
  /** Scopes that a request was refused for want of: the next authorization asks for them. */
  readonly wantedScope?: string;
}

/** Where logins are kept. Everything rejects with `store_failed`. */
export interface TokenStore {
  /** Null for none, and for what cannot be read. */
  read(key: string): Promise<StoredLogin | null>;
  /** `null` removes it. */
  write(key: string, login: StoredLogin | null): Promise<void>;
  /**
   * Runs the work while nobody else, in this process or another, does so for the same key. Rejects with the signal's
   * reason when it fires before the work has begun.
   */
  exclusive<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  list(): Promise<readonly (readonly [key: string, login: StoredLogin])[]>;
}
