/** How the host is authorized at one HTTP server (MCP 2026-07-28, authorization). All of it may be left out. */
export interface ServerAuth {
  /**
   * `client_credentials`: the host acts for itself. `jwt_bearer`: with a signed word of somebody whom the authorization
   * server believes (RFC 7523), which is `assertion`, `assertionFile`, or had from `identityProvider`. Nobody is asked
   * in either. Default: `authorization_code`, where a person is.
   */
  readonly grant?: "authorization_code" | "client_credentials" | "jwt_bearer";
  /** A client that was registered at the authorization server before. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PKCS #8 PEM: the client signs assertions with it in the place of a secret (`private_key_jwt`, RFC 7523). */
  readonly privateKey?: string;
  /** The JWS algorithm of `privateKey`. Default: `ES256`. */
  readonly algorithm?: string;
  /**
   * A JWT that vouches for this workload. Sent to the authorization server that is its audience, and to `issuer` where
   * that is said.
   */
  readonly assertion?: string;
  /** The absolute path of the file that holds it, read anew for each token: platforms replace it before it ends. */
  readonly assertionFile?: string;
  /** Vouches for the person (enterprise-managed authorization). */
  readonly identityProvider?: IdentityProvider;
  /**
   * Whether tokens are bound to a key of the host (RFC 9449), so that nobody else can use them. `true`: other tokens are
   * not taken. `false`: never. Default: where the server asks for it and the authorization server offers it with ES256.
   */
  readonly dpop?: boolean;
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

/**
 * An employer's identity provider: for the person's identity token it gives a grant that the server's authorization
 * server takes (identity assertion authorization grant, by RFC 8693).
 */
export interface IdentityProvider {
  /** Its issuer; the token endpoint is in its metadata. */
  readonly issuer: string;
  /** The host's client there: it is another one than that at the server's authorization server. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The person's identity token (OpenID Connect). */
  readonly idToken?: string;
  /** The absolute path of the file that holds it, read anew for each token. */
  readonly idTokenFile?: string;
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
  /** Why they are asked once more: what the authorization server said to what they brought back the last time. */
  readonly problem?: string;
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

/** A private key of P-256 in the form of RFC 7517, every member base64url. */
export interface ProofKey {
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

export interface StoredTokens {
  readonly access: string;
  /** The key that they are bound to (RFC 9449); absent: whoever has them can use them. */
  readonly proofKey?: ProofKey;
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
