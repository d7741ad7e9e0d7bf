import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/client";
import { HostError } from "../../errors.ts";
import type { StoredClient, StoredTokens } from "../../types/auth.ts";
import { oneLine } from "../../util/one-line.ts";
import type { AuthContext, TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { sdkMetadata } from "./server-metadata.ts";

/** The authorization server's own word for why it gave no tokens (RFC 6749 section 5.2). */
export class TokenRefusal extends Error {
  readonly reason: string;

  constructor(reason: string, description: string) {
    super(`the authorization server refused: ${reason}${description}`);
    this.reason = reason;
  }
}

/** Whether the client itself was refused: a registered one is then no longer known. */
export function isClientRefusal(thrown: unknown): boolean {
  return (
    thrown instanceof TokenRefusal &&
    (thrown.reason === "invalid_client" || thrown.reason === "unauthorized_client")
  );
}

export interface CodeAnswer {
  readonly code: string;
  readonly issuer: string | null;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Redeems an authorization code. Rejects with a `TokenRefusal`, or with `server_unauthorized`. */
export function redeem(
  context: TokenContext,
  client: StoredClient,
  answer: CodeAnswer,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { sdk, fetch, found } = context;
  return tokensFrom(context, scope, () =>
    sdk.exchangeAuthorization(found.authorizationServer.issuer, {
      ...common(context, client),
      authorizationCode: answer.code,
      ...(answer.issuer === null ? {} : { iss: answer.issuer }),
      codeVerifier: answer.verifier,
      redirectUri: answer.redirectUri,
      fetchFn: fetch,
    }),
  );
}

/** Trades a refresh token. The answer keeps it when no other one is given. */
export function refresh(
  context: TokenContext,
  client: StoredClient,
  tokens: StoredTokens & { readonly refresh: string },
): Promise<StoredTokens> {
  const { sdk, fetch, found } = context;
  return tokensFrom(context, tokens.scope, () =>
    sdk.refreshAuthorization(found.authorizationServer.issuer, {
      ...common(context, client),
      refreshToken: tokens.refresh,
      fetchFn: fetch,
    }),
  );
}

/** The client's own tokens (RFC 6749 section 4.4), by its secret or by a signed assertion. */
export function forClient(
  context: TokenContext,
  client: StoredClient,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { sdk, fetch, found, auth } = context;
  const { issuer } = found.authorizationServer;
  const { clientSecret = "" } = auth;
  const asked = { clientId: client.id, expectedIssuer: issuer };
  const provider =
    auth.privateKey === undefined
      ? new sdk.ClientCredentialsProvider({ ...asked, clientSecret })
      : new sdk.PrivateKeyJwtProvider({
          ...asked,
          privateKey: auth.privateKey,
          algorithm: algorithmOf(auth),
        });
  return tokensFrom(context, scope, () =>
    sdk.fetchToken(provider, issuer, {
      metadata: sdkMetadata(found.authorizationServer),
      resource: found.resource,
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetch,
    }),
  );
}

function algorithmOf({ algorithm = "ES256" }: AuthContext["auth"]): string {
  return algorithm;
}

function common(context: TokenContext, client: StoredClient) {
  const { sdk, found, auth } = context;
  const metadata = sdkMetadata(found.authorizationServer);
  const base = { metadata, resource: found.resource, clientInformation: informationOf(client, auth) };
  if (client.origin !== "config" || auth.privateKey === undefined) return base;
  const addClientAuthentication = sdk.createPrivateKeyJwtAuth({
    issuer: client.id,
    subject: client.id,
    privateKey: auth.privateKey,
    alg: algorithmOf(auth),
  });
  return { ...base, addClientAuthentication };
}

function informationOf(client: StoredClient, auth: AuthContext["auth"]): OAuthClientInformationMixed {
  const secret = client.origin === "config" ? auth.clientSecret : client.secret;
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(client.authMethod === undefined ? {} : { token_endpoint_auth_method: client.authMethod }),
  } as OAuthClientInformationMixed;
}

async function tokensFrom(
  context: TokenContext,
  scope: string | undefined,
  ask: () => Promise<OAuthTokens>,
): Promise<StoredTokens> {
  const { sdk, secrets, id, clock, found } = context;
  const { issuer } = found.authorizationServer;
  const obtainedAt = clock.wall();
  let given: OAuthTokens;
  try {
    given = await ask();
  } catch (thrown) {
    if (thrown instanceof HostError) throw thrown;
    // Only a real answer of RFC 6749 is quoted: anything else might hold what was sent.
    if (thrown instanceof sdk.OAuthError && thrown.code !== sdk.OAuthErrorCode.ServerError) {
      const said = secrets.redact(thrown.message);
      throw new TokenRefusal(oneLine(thrown.code, 60), said === "" ? "" : ` (${oneLine(said, 200)})`);
    }
    throw authError(`${issuer} did not answer the request for a token as OAuth has it`);
  }
  if (given.token_type.toLowerCase() !== "bearer")
    throw authError(`${issuer} gave a token of a type that is not known here`);
  secrets.register(`${id} access token`, given.access_token);
  if (given.refresh_token !== undefined) secrets.register(`${id} refresh token`, given.refresh_token);
  const granted = given.scope ?? scope;
  return {
    access: given.access_token,
    obtainedAt,
    ...(given.refresh_token === undefined ? {} : { refresh: given.refresh_token }),
    ...(given.expires_in === undefined ? {} : { expiresAt: obtainedAt + given.expires_in * 1000 }),
    ...(granted === undefined ? {} : { scope: granted }),
  };
}
