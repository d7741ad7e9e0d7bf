import type {
  AddClientAuthentication,
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { HostError } from "../../errors.ts";
import type { StoredClient, StoredTokens } from "../../types/auth.ts";
import { oneLine } from "../../util/one-line.ts";
import { visibleLine } from "../../util/visible.ts";
import type { AuthContext, TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { withoutNullMembers } from "./null-members.ts";
import { sdkMetadata } from "./server-metadata.ts";

/** The authorization server's own word for why it gave no tokens (RFC 6749 section 5.2). */
export class TokenRefusal extends Error {
  readonly reason: string;

  constructor(who: string, reason: string, description: string) {
    super(`the ${who} refused: ${reason}${description}`);
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
  const { sdk, found } = context;
  return tokensFrom(context, scope, () =>
    sdk.exchangeAuthorization(found.authorizationServer.issuer, {
      ...common(context, client),
      authorizationCode: answer.code,
      ...(answer.issuer === null ? {} : { iss: answer.issuer }),
      codeVerifier: answer.verifier,
      redirectUri: answer.redirectUri,
    }),
  );
}

/** Trades a refresh token. The answer keeps it when no other one is given. */
export function refresh(
  context: TokenContext,
  client: StoredClient,
  tokens: StoredTokens & { readonly refresh: string },
): Promise<StoredTokens> {
  const { sdk, found } = context;
  return tokensFrom(context, tokens.scope, () =>
    sdk.refreshAuthorization(found.authorizationServer.issuer, {
      ...common(context, client),
      refreshToken: tokens.refresh,
    }),
  );
}

function common(context: TokenContext, client: StoredClient) {
  const { found, fetch, auth, proof } = context;
  const signing = signingOf(context, client);
  return {
    metadata: sdkMetadata(found.authorizationServer),
    resource: found.resource,
    fetchFn: withoutNullMembers(fetch),
    clientInformation: informationOf(client, auth),
    ...(signing === undefined ? {} : { addClientAuthentication: signing }),
    ...(proof === null ? {} : { dpop: proof.session }),
  };
}

/** Signs an assertion in the place of a secret (`private_key_jwt`); undefined without a key. */
export function signingOf(
  { sdk, auth }: Pick<AuthContext, "sdk" | "auth">,
  client: StoredClient,
): AddClientAuthentication | undefined {
  const { privateKey, algorithm = "ES256" } = auth;
  if (client.origin !== "config" || privateKey === undefined) return undefined;
  return sdk.createPrivateKeyJwtAuth({ issuer: client.id, subject: client.id, privateKey, alg: algorithm });
}

/** The secret of a client: the configuration's own, or what it got when it was registered. */
export function secretOf(client: StoredClient, auth: AuthContext["auth"]): string | undefined {
  return client.origin === "config" ? auth.clientSecret : client.secret;
}

export function informationOf(client: StoredClient, auth: AuthContext["auth"]): OAuthClientInformationMixed {
  const secret = secretOf(client, auth);
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(client.authMethod === undefined ? {} : { token_endpoint_auth_method: client.authMethod }),
  } as OAuthClientInformationMixed;
}

/** Rejects with a `TokenRefusal`, or with `server_unauthorized`. */
export async function tokensFrom(
  context: TokenContext,
  scope: string | undefined,
  ask: () => Promise<OAuthTokens>,
): Promise<StoredTokens> {
  const { sdk, clock, found } = context;
  const { issuer } = found.authorizationServer;
  const obtainedAt = clock.wall();
  let given: OAuthTokens;
  try {
    given = await ask();
  } catch (thrown) {
    if (thrown instanceof HostError) throw thrown;
    // Only a real answer of RFC 6749 is quoted: anything else might hold what was sent.
    if (thrown instanceof sdk.OAuthError && thrown.code !== sdk.OAuthErrorCode.ServerError)
      throw tokenRefusal(context, thrown.code, thrown.message);
    throw authError(`${issuer} did not answer the request for a token as OAuth has it`);
  }
  return readTokens(context, given, obtainedAt, scope);
}

/** The words of an authorization server, made fit to be shown. */
export function tokenRefusal(
  { secrets }: Pick<AuthContext, "secrets">,
  code: string,
  text: string,
  who: "authorization server" | "identity provider" = "authorization server",
): TokenRefusal {
  const said = secrets.redact(text);
  return new TokenRefusal(
    who,
    visibleLine(oneLine(code, 60)),
    said === "" ? "" : ` (${visibleLine(oneLine(said, 200))})`,
  );
}

/** What a header may carry (RFC 6750 section 2.1), in a length that servers take. */
const sendable = /^[\x21-\x7e]{1,16000}$/;
/** A token of a longer life is as good as one without an end, seconds. */
const longestLife = 10 * 365 * 86_400;

function readTokens(
  { secrets, id, found, proof, auth }: TokenContext,
  given: OAuthTokens,
  obtainedAt: number,
  scope: string | undefined,
): StoredTokens {
  const { issuer } = found.authorizationServer;
  const { access_token: access, refresh_token: refresh, expires_in: life } = given;
  secrets.register(`${id} access token`, access);
  if (refresh !== undefined) secrets.register(`${id} refresh token`, refresh);
  const type = given.token_type.toLowerCase();
  if (type !== "bearer" && (type !== "dpop" || proof === null))
    throw authError(`${issuer} gave a token of a type that is not known here`);
  if (type === "bearer" && auth.dpop === true)
    throw authError(`${issuer} gave a token that is bound to no key, and its "auth" wants one that is`);
  if (!sendable.test(access) || (refresh !== undefined && refresh.length > 16_000))
    throw authError(`${issuer} gave a token that cannot be sent`);
  const granted = given.scope ?? scope;
  const lives = life === undefined ? undefined : Math.min(Math.max(life, 0), longestLife);
  return {
    access,
    obtainedAt,
    ...(type === "dpop" && proof !== null ? { proofKey: proof.key } : {}),
    ...(refresh === undefined ? {} : { refresh }),
    ...(lives === undefined ? {} : { expiresAt: obtainedAt + lives * 1000 }),
    ...(granted === undefined ? {} : { scope: granted }),
  };
}
