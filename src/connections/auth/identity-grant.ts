import type { IdentityProvider } from "../../types/auth.ts";
import { isObject } from "../../util/own.ts";
import type { TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { serverMetadata } from "./discover.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { readSignedToken } from "./signed-token.ts";
import { tokenRefusal } from "./token-request.ts";

const grantType = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * Trades the person's identity token for a grant that only the server's authorization server takes, and only for that
 * server (enterprise-managed authorization, by RFC 8693). Rejects with a `TokenRefusal`, or with `server_unauthorized`.
 */
export async function identityGrant(
  context: TokenContext,
  provider: IdentityProvider,
  scope: string | undefined,
): Promise<string> {
  const { sdk, plainFetch, clock, auth, found } = context;
  const { issuer } = provider;
  // The config names it, so it may be where it is; what its metadata leads to is guarded as a server's is.
  const allowPrivateNetwork = auth.allowPrivateNetwork === true;
  const fetch = createGuardedFetch({
    fetch: plainFetch,
    clock,
    server: new URL(issuer),
    allowPrivateNetwork,
  });
  const metadata = await serverMetadata({ sdk, fetch }, issuer);
  if (metadata === null) throw authError(`${issuer}, its identity provider, has no metadata`);
  const idToken = await readSignedToken(context, "idToken", provider.idToken, provider.idTokenFile);
  const response = await fetch(metadata.tokenEndpoint, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: grantType,
      audience: found.authorizationServer.issuer,
      resource: found.resource,
      subject_token: idToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      client_id: provider.clientId,
      ...(provider.clientSecret === undefined ? {} : { client_secret: provider.clientSecret }),
      ...(scope === undefined ? {} : { scope }),
    }).toString(),
  });
  const answer: unknown = await response.json().catch(() => null);
  return grantOf(context, issuer, isObject(answer) ? answer : {});
}

function grantOf(context: TokenContext, issuer: string, answer: Record<string, unknown>): string {
  const { error, error_description: text, access_token: grant, issued_token_type: type } = answer;
  if (typeof error === "string")
    throw tokenRefusal(context, error, typeof text === "string" ? text : "", "identity provider");
  if (typeof grant !== "string" || grant === "" || type !== grantType)
    throw authError(`${issuer}, its identity provider, gave no grant for another authorization server`);
  context.secrets.register(`${context.id} identity grant`, grant);
  return grant;
}
