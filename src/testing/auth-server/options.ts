/** A client that the fake authorization server knows beforehand. */
export interface FakeAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** PEM: it signs assertions with ES256 (`private_key_jwt`). */
  readonly publicKey?: string;
  /** Absent: any URI of 127.0.0.1. */
  readonly redirectUris?: readonly string[];
}

type Metadata = Record<string, unknown>;

/** How a fake authorization server and the MCP server that it protects behave. By default both keep every rule. */
export interface FakeAuthServerOptions {
  /** The path of the authorization server's issuer. Default: none. */
  readonly issuerPath?: string;
  /** Where the resource's metadata is: named in the challenge, only at the path, only at the root, or nowhere. */
  readonly resourceMetadata?: "challenge" | "path" | "root" | "none";
  /** The document of the authorization server's metadata. `none`: there is none. Default: `oauth`. */
  readonly serverMetadata?: "oauth" | "openid" | "openid-appended" | "none";
  /** The authorization server stands at the MCP server's own origin (MCP 2025-03-26). */
  readonly sameOrigin?: boolean;
  /** Changes what is published; what is left out of the result is not published. */
  readonly editServerMetadata?: (metadata: Metadata) => Metadata;
  readonly editResourceMetadata?: (metadata: Metadata) => Metadata;
  /** What the identity provider publishes. */
  readonly editProviderMetadata?: (metadata: Metadata) => Metadata;
  /** Changes the URL that a browser is sent back to. */
  readonly editRedirect?: (url: URL) => void;
  /** Changes the answer of the registration endpoint. */
  readonly editRegistration?: (client: Metadata) => Metadata;
  /** Changes the answer of the token endpoint. */
  readonly editTokens?: (tokens: Metadata) => Metadata;
  /**
   * Tokens that are bound to a key (RFC 9449). `offered`: the authorization server can give some, and the MCP server
   * takes both kinds; `required`: it takes no others; `nonce`: and both want nonces of theirs in the proofs.
   */
  readonly dpop?: "offered" | "required" | "nonce";
  /** Codes of the first so many visits are refused when they are redeemed. Default: 0. */
  readonly refuseCodes?: number;
  /** Scopes that an operation needs: `tools/list`, or `tools/call:NAME`. `*` stands for every request. Default: none. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** The challenge of a missing token names no scope. */
  readonly silentChallenge?: boolean;
  readonly scopesSupported?: readonly string[];
  /** Whether clients may register themselves. Default: true. */
  readonly registration?: boolean;
  /** Client metadata documents by their URL; with it the server takes them. */
  readonly documents?: Readonly<Record<string, Metadata>>;
  readonly clients?: readonly FakeAuthClient[];
  /** How clients may authenticate. Default: none, client_secret_basic, client_secret_post, private_key_jwt. */
  readonly authMethods?: readonly string[];
  /** Seconds that an access token holds. Default: 3600. */
  readonly expiresIn?: number;
  /** Milliseconds that an answer of the token endpoint takes. Default: 0. */
  readonly tokenDelayMs?: number;
  /** The MCP server's answers to calls hold the token that it was sent. */
  readonly tellsToken?: boolean;
  /** What the MCP server calls its tools. Default: `echo`. */
  readonly tools?: readonly string[];
}

/** A person's visit to the authorization endpoint. */
export interface SeenAuthorization {
  readonly clientId: string;
  readonly scope: string | null;
  readonly resource: string | null;
  readonly redirectUri: string;
}

export interface SeenTokenRequest {
  readonly grantType: string;
  readonly clientId: string | null;
  /** How the client proved who it is. */
  readonly authMethod: string;
  readonly scope: string | null;
  readonly resource: string | null;
  /** The error that it was answered with; null when it got tokens. */
  readonly error: string | null;
  /** It came with a proof of a key that was good. */
  readonly isProven: boolean;
}

export interface FakeAuthServer {
  /** The protected MCP server. */
  readonly url: string;
  readonly issuer: string;
  readonly authorizations: readonly SeenAuthorization[];
  readonly tokenRequests: readonly SeenTokenRequest[];
  /** Client ids that were given out by registration. */
  readonly registrations: readonly string[];
  /** Every request line of both servers, in order: `GET /path`. */
  readonly requests: readonly string[];
  /** Tokens that were taken back by a client. */
  readonly revoked: readonly string[];
  /** Every secret that was given out or proven: tokens, codes, verifiers, client secrets. */
  readonly secrets: readonly string[];
  /** Rules that a client broke, in words. */
  readonly breaches: readonly string[];
  /** Visits an authorization URL as a person who agrees; the URL that the browser is sent back to. */
  visit(url: string): Promise<string>;
  /** A JWT of the workload platform that it believes: for this authorization server, unless the claims say otherwise. */
  assertion(claims?: Metadata): string;
  /** An employer's identity provider that it believes, and the identity token of a person there. */
  readonly identityProvider: {
    readonly issuer: string;
    readonly clientId: string;
    readonly idToken: string;
  };
  /** From now on proofs have to hold other nonces. */
  renewNonces(): void;
  /** Every access token that was given out so far is refused from now on. */
  expireTokens(): void;
  /** Every registered client is unknown from now on. */
  forgetClients(): void;
  close(): Promise<void>;
}
