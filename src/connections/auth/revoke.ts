import type { ServerAuth, StoredLogin } from "../../types/auth.ts";
import type { AuthContext } from "./auth-context.ts";
import { informationOf, secretOf, signingOf } from "./token-request.ts";

export type RevocationContext = Pick<AuthContext, "sdk" | "fetch" | "auth">;

/**
 * Takes tokens back at the authorization server that gave them (RFC 7009). False when it offers no way, or did not
 * take part: the tokens are then forgotten here, and end there by themselves.
 */
export async function revoke(given: RevocationContext, login: StoredLogin): Promise<boolean> {
  const { revocationEndpoint, tokens } = login;
  if (revocationEndpoint === undefined || tokens === null) return false;
  const all = [
    ...(tokens.refresh === undefined ? [] : [["refresh_token", tokens.refresh] as const]),
    ["access_token", tokens.access] as const,
  ];
  const context = isOf(given.auth, login) ? given : { ...given, auth: {} };
  try {
    for (const [hint, token] of all) {
      const body = new URLSearchParams({ token, token_type_hint: hint });
      const headers = await authenticate(context, login, revocationEndpoint, body);
      const response = await context.fetch(revocationEndpoint, { method: "POST", headers, body });
      if (!response.ok) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether the configuration's credentials belong to the login: it may have been kept with another client, or issuer. */
function isOf({ clientId, issuer }: ServerAuth, login: StoredLogin): boolean {
  return login.client.id === clientId && (issuer === undefined || issuer === login.issuer);
}

/** Lets the client show who it is as where it got the tokens (RFC 7009 section 2.1): headers, or what is added to the body. */
async function authenticate(
  context: RevocationContext,
  { client, authMethods, issuer }: StoredLogin,
  endpoint: string,
  body: URLSearchParams,
): Promise<Headers> {
  const { sdk, auth } = context;
  const headers = new Headers();
  const signing = signingOf(context, client);
  if (signing !== undefined) {
    // An assertion is for the issuer, wherever it is sent: the endpoints beside it are not looked at.
    const metadata = {
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      response_types_supported: [],
    };
    await signing(headers, body, endpoint, metadata);
    return headers;
  }
  const secret = secretOf(client, auth);
  const method = sdk.selectClientAuthMethod(informationOf(client, auth), [...authMethods]);
  if (method === "client_secret_basic" && secret !== undefined) {
    headers.set("authorization", `Basic ${Buffer.from(`${client.id}:${secret}`).toString("base64")}`);
    return headers;
  }
  body.set("client_id", client.id);
  if (method === "client_secret_post" && secret !== undefined) body.set("client_secret", secret);
  return headers;
}
