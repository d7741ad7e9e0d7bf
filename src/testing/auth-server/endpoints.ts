import { isObject } from "../../util/own.ts";
import { proveClient } from "./client-auth.ts";
import { type FakeAuthState, mint } from "./state.ts";

/** An answer of the authorization server. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body?: object;
  readonly location?: string;
  /** The header `DPoP-Nonce`. */
  readonly nonce?: string;
}

export const refusal = (status: number, error: string, description: string): EndpointAnswer => ({
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
  const challenge = query.get("code_challenge") ?? "";
  const thumbprint = query.get("dpop_jkt");
  state.codes.set(code, { clientId, redirectUri, scope, challenge, thumbprint });
  if (state.authorizations.length <= (state.options.refuseCodes ?? 0)) state.codes.delete(code);
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
  const body = { ...request, client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  return { status: 201, body: state.options.editRegistration?.(body) ?? body };
}

/** `POST /revoke` (RFC 7009): for clients that prove themselves as they do for tokens. */
export function revoke(
  state: FakeAuthState,
  authorization: string | undefined,
  form: URLSearchParams,
): EndpointAnswer {
  const { problem } = proveClient(state, authorization, form);
  if (problem !== null) return { status: 401, body: { error: "invalid_client", error_description: problem } };
  const token = form.get("token") ?? "";
  state.access.delete(token);
  state.refresh.delete(token);
  state.revoked.push(token);
  return { status: 200, body: {} };
}
