import type { ServerAuth, StoredClient, StoredLogin } from "../../types/auth.ts";
import type { AuthContext } from "./auth-context.ts";
import { secretOf } from "./token-request.ts";

/**
 * Takes tokens back at the authorization server that gave them (RFC 7009). False when it offers no way, or did not
 * take part: the tokens are then forgotten here, and end there by themselves.
 */
export async function revoke(
  { fetch, auth }: Pick<AuthContext, "fetch" | "auth">,
  login: StoredLogin,
): Promise<boolean> {
  const { revocationEndpoint, tokens, client } = login;
  if (revocationEndpoint === undefined || tokens === null) return false;
  const all = [
    ...(tokens.refresh === undefined ? [] : [["refresh_token", tokens.refresh] as const]),
    ["access_token", tokens.access] as const,
  ];
  try {
    for (const [hint, token] of all) {
      const body = new URLSearchParams({ token, token_type_hint: hint });
      const headers = authenticate(client, auth, login.authMethods, body);
      const response = await fetch(revocationEndpoint, { method: "POST", headers, body });
      if (!response.ok) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** How the client shows who it is (RFC 6749, section 2.3.1): headers, or what is added to the body. */
function authenticate(
  client: StoredClient,
  auth: ServerAuth,
  methods: readonly string[],
  body: URLSearchParams,
): Record<string, string> {
  const secret = secretOf(client, auth);
  const byBody =
    client.authMethod === "client_secret_post" ||
    !(methods[0] === undefined || methods.includes("client_secret_basic"));
  if (secret !== undefined && !byBody) {
    const pair = Buffer.from(`${client.id}:${secret}`).toString("base64");
    return { authorization: `Basic ${pair}` };
  }
  body.set("client_id", client.id);
  if (secret !== undefined) body.set("client_secret", secret);
  return {};
}
