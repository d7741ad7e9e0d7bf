import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../util/own.ts";
import { proveClient } from "./client-auth.ts";
import { type FakeAuthState, mint } from "./state.ts";

/** An answer of the authorization server. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body?: object;
  readonly location?: string;
}

const refusal = (status: number, error: string, description: string): EndpointAnswer => ({
  status,
  body: { error, error_description: description },
});

/** `GET /authorize`: the person agrees to everything that keeps the rules. */
export function authorize(state: FakeAuthState, query: URLSearchParams): EndpointAnswer {
  const clientId = query.get("client_id") ?? "";
  const redirectUri = query.get("redirect_uri") ?? "";
  const resource = query.get("resource");
  const scope = query.get("scope");
  const breach = (text: string): EndpointAnswer => {
    state.breaches.push(text);
    return refusal(400, "invalid_request", text);
  };
  if (!admitClient(state, clientId)) return breach("the client is not known");
  if (!mayRedirect(state, clientId, redirectUri)) return breach("the redirect URI is not the client's");
  if (query.get("response_type") !== "code") return breach("response_type is not code");
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(query.get("code_challenge") ?? ""))
    return breach("there is no S256 challenge");
  if ((query.get("state") ?? "").length < 16) return breach("the state can be guessed");
  if (resource !== state.resource) return breach("the resource is not the MCP server");
  state.authorizations.push({ clientId, scope, resource, redirectUri });
  const code = mint(state, "code");
  state.codes.set(code, { clientId, redirectUri, scope, challenge: query.get("code_challenge") ?? "" });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", query.get("state") ?? "");
  back.searchParams.set("iss", state.issuer);
  state.options.editRedirect?.(back);
  return { status: 302, location: back.href };
}

/** A client whose id is a URL brings its metadata by a document. */
function admitClient(state: FakeAuthState, clientId: string): boolean {
  const document = state.options.documents?.[clientId];
  if (document !== undefined && document.client_id === clientId && Array.isArray(document.redirect_uris)) {
    state.clients.set(clientId, { id: clientId });
  }
  return state.clients.has(clientId);
}

function mayRedirect(state: FakeAuthState, clientId: string, redirectUri: string): boolean {
  const uris = state.clients.get(clientId)?.redirectUris;
  if (uris !== undefined) return uris.includes(redirectUri);
  return URL.canParse(redirectUri) && new URL(redirectUri).hostname === "127.0.0.1";
}

/** `POST /register` (RFC 7591). */
export function register(state: FakeAuthState, request: unknown): EndpointAnswer {
  if (state.options.registration === false) return { status: 404 };
  if (!isObject(request) || !Array.isArray(request.redirect_uris))
    return refusal(400, "invalid_client_metadata", "there are no redirect URIs");
  const id = `client-${state.registrations.length + 1}`;
  const method = String(request.token_endpoint_auth_method ?? "client_secret_basic");
  const secret = method === "none" ? undefined : mint(state, "client-secret");
  state.clients.set(id, {
    id,
    redirectUris: request.redirect_uris.map(String),
    ...(secret === undefined ? {} : { secret }),
  });
  state.registrations.push(id);
  return {
    status: 201,
    body: { ...request, client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) },
  };
}

/** `POST /token`. */
export async function giveTokens(
  state: FakeAuthState,
  authorization: string | undefined,
  form: URLSearchParams,
): Promise<EndpointAnswer> {
  await delay(state.options.tokenDelayMs ?? 0);
  const { clientId, method, problem } = proveClient(state, authorization, form);
  const grantType = form.get("grant_type") ?? "";
  const answer =
    problem === null
      ? grant(state, clientId ?? "", grantType, form)
      : refusal(401, "invalid_client", problem);
  const error = answer.status === 200 ? null : String((answer.body as { error?: unknown }).error);
  const [scope, resource] = [form.get("scope"), form.get("resource")];
  state.tokenRequests.push({ grantType, clientId, authMethod: method, scope, resource, error });
  return answer;
}

function grant(state: FakeAuthState, clientId: string, type: string, form: URLSearchParams): EndpointAnswer {
  if (form.get("resource") !== state.resource)
    return refusal(400, "invalid_target", "the resource is not the MCP server");
  if (type === "authorization_code") return redeem(state, clientId, form);
  if (type === "refresh_token") return rotate(state, clientId, form.get("refresh_token") ?? "");
  if (type !== "client_credentials") return refusal(400, "unsupported_grant_type", "the grant is not known");
  const { secret, publicKey } = state.clients.get(clientId) ?? {};
  if (secret === undefined && publicKey === undefined)
    return refusal(400, "unauthorized_client", "the client cannot prove who it is");
  return tokens(state, clientId, form.get("scope"), null);
}

function redeem(state: FakeAuthState, clientId: string, form: URLSearchParams): EndpointAnswer {
  const code = form.get("code") ?? "";
  const issued = state.codes.get(code);
  state.codes.delete(code);
  const verifier = form.get("code_verifier") ?? "";
  state.secrets.push(verifier);
  if (issued === undefined || issued.clientId !== clientId)
    return refusal(400, "invalid_grant", "the code is not this client's");
  if (createHash("sha256").update(verifier).digest("base64url") !== issued.challenge)
    return refusal(400, "invalid_grant", "the verifier does not fit the challenge");
  if (form.get("redirect_uri") !== issued.redirectUri)
    return refusal(400, "invalid_grant", "the redirect URI is another one");
  state.families += 1;
  return tokens(state, clientId, issued.scope, state.families);
}

/** Each refresh token is good for one use; a second one ends all that came from it (OAuth 2.1 section 4.3.1). */
function rotate(state: FakeAuthState, clientId: string, token: string): EndpointAnswer {
  const spent = state.spentRefresh.get(token);
  if (spent !== undefined) {
    state.breaches.push("a refresh token was used twice");
    for (const issued of [state.refresh, state.access]) {
      for (const [value, { family }] of issued) if (family === spent) issued.delete(value);
    }
  }
  const issued = state.refresh.get(token);
  if (issued === undefined || issued.clientId !== clientId)
    return refusal(400, "invalid_grant", "the refresh token is not this client's");
  state.refresh.delete(token);
  state.spentRefresh.set(token, issued.family);
  return tokens(state, clientId, issued.scope, issued.family);
}

function tokens(
  state: FakeAuthState,
  clientId: string,
  scope: string | null,
  family: number | null,
): EndpointAnswer {
  const access = mint(state, "access");
  state.access.set(access, { clientId, scope, family: family ?? 0 });
  const body: Record<string, unknown> = {
    access_token: access,
    token_type: "Bearer",
    expires_in: state.options.expiresIn ?? 3600,
    ...(scope === null ? {} : { scope }),
  };
  if (family !== null) {
    const refresh = mint(state, "refresh");
    state.refresh.set(refresh, { clientId, scope, family });
    body.refresh_token = refresh;
  }
  return { status: 200, body: state.options.editTokens?.(body) ?? body };
}

/** `POST /revoke` (RFC 7009). */
export function revoke(state: FakeAuthState, form: URLSearchParams): EndpointAnswer {
  const token = form.get("token") ?? "";
  state.access.delete(token);
  state.refresh.delete(token);
  state.revoked.push(token);
  return { status: 200, body: {} };
}
