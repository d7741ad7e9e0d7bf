import type { TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { identityGrant } from "./identity-grant.ts";
import { readSignedToken } from "./signed-token.ts";

/**
 * What vouches for the host at the authorization server (RFC 7523 section 2.1): the workload's own assertion, or the
 * grant that an identity provider gives for the person. Rejects with `server_unauthorized`, or with a `TokenRefusal` of
 * the identity provider.
 */
export async function assertionFor(context: TokenContext, scope: string | undefined): Promise<string> {
  const { auth } = context;
  if (auth.identityProvider !== undefined) return identityGrant(context, auth.identityProvider, scope);
  const assertion = await readSignedToken(context, "assertion", auth.assertion, auth.assertionFile);
  checkAudience(context, assertion);
  return assertion;
}

/**
 * A server names its authorization server by itself, so a workload's word goes only to whom it is meant for: another
 * one could act for the workload with it.
 */
function checkAudience({ auth, found }: TokenContext, assertion: string): void {
  const { issuer, tokenEndpoint } = found.authorizationServer;
  // That the issuer is this one was checked before.
  if (auth.issuer !== undefined) return;
  const audiences = [claimsOf(assertion).aud].flat();
  const bare = issuer.replace(/\/$/, "");
  if (audiences.some((name) => name === bare || name === `${bare}/` || name === tokenEndpoint)) return;
  throw authError(
    `its "assertion" is meant for another authorization server than ${issuer}. If that is right, write it as "issuer" into its "auth"`,
  );
}

function claimsOf(token: string): { readonly aud?: unknown } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
