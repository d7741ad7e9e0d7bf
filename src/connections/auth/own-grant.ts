import type { StoredClient, StoredTokens } from "../../types/auth.ts";
import { assertionFor } from "./assertion.ts";
import type { TokenContext } from "./auth-context.ts";
import { withoutNullMembers } from "./null-members.ts";
import { sdkMetadata } from "./server-metadata.ts";
import { informationOf, signingOf, tokensFrom } from "./token-request.ts";

/**
 * Tokens without a person: the client's own (RFC 6749 section 4.4), or for an assertion (RFC 7523 section 2.1). The
 * client proves itself by its secret, by a signed assertion, or not at all. Rejects with a `TokenRefusal`, or with
 * `server_unauthorized`.
 */
export async function ownGrant(
  context: TokenContext,
  client: StoredClient,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { sdk, fetch, found, auth, proof } = context;
  const { issuer } = found.authorizationServer;
  const parameters =
    auth.grant === "jwt_bearer"
      ? {
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: await assertionFor(context, scope),
        }
      : { grant_type: "client_credentials" };
  const provider = new sdk.ClientCredentialsProvider({
    clientId: client.id,
    clientSecret: auth.clientSecret ?? "",
    expectedIssuer: issuer,
  });
  const signing = signingOf(context, client);
  const bound = Object.assign(provider, {
    clientInformation: () => informationOf(client, auth),
    prepareTokenRequest: () =>
      new URLSearchParams({ ...parameters, ...(scope === undefined ? {} : { scope }) }),
    ...(signing === undefined ? {} : { addClientAuthentication: signing }),
    ...(proof === null ? {} : { dpop: () => proof.session }),
  });
  return tokensFrom(context, scope, () =>
    sdk.fetchToken(bound, issuer, {
      metadata: sdkMetadata(found.authorizationServer),
      resource: found.resource,
      ...(scope === undefined ? {} : { scope }),
      fetchFn: withoutNullMembers(fetch),
    }),
  );
}
