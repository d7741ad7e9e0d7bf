import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { readAssertion } from "./assertions.ts";
import { proveClient } from "./client-auth.ts";
import { type EndpointAnswer, refusal } from "./endpoints.ts";
import { checkProof } from "./proof.ts";
import { type FakeAuthState, mint } from "./state.ts";

/** `POST /token`. */
export async function giveTokens(
  state: FakeAuthState,
  {
    authorization,
    proof,
  }: { readonly authorization: string | undefined; readonly proof: string | undefined },
  form: URLSearchParams,
): Promise<EndpointAnswer> {
  await delay(state.options.tokenDelayMs ?? 0);
  const { clientId, method, problem } = proveClient(state, authorization, form);
  const grantType = form.get("grant_type") ?? "";
  const thumbprint = state.options.dpop === undefined ? null : keyOf(state, proof);
  const isProven = typeof thumbprint === "string";
  const answer =
    thumbprint !== null && !isProven
      ? thumbprint
      : problem === null
        ? grant(state, { clientId: clientId ?? "", thumbprint }, grantType, form)
        : refusal(401, "invalid_client", problem);
  const error = answer.status === 200 ? null : String((answer.body as { error?: unknown }).error);
  const [scope, resource] = [form.get("scope"), form.get("resource")];
  state.tokenRequests.push({ grantType, clientId, authMethod: method, scope, resource, error, isProven });
  return answer;
}

/** The key that the tokens are to be bound to; null for none, a refusal for a proof that is not taken. */
function keyOf(state: FakeAuthState, proof: string | undefined): string | EndpointAnswer | null {
  if (proof === undefined) return null;
  const url = `${state.issuer}/token`;
  const proven = checkProof(state, { side: "issuer", method: "POST", url, proof });
  if ("nonce" in proven)
    return { ...refusal(400, "use_dpop_nonce", "a nonce is missing"), nonce: proven.nonce };
  return "thumbprint" in proven ? proven.thumbprint : refusal(400, "invalid_dpop_proof", proven.problem);
}

/** Who gets tokens, and the key that they are bound to. */
interface Receiver {
  readonly clientId: string;
  readonly thumbprint: string | null;
}

function grant(state: FakeAuthState, to: Receiver, type: string, form: URLSearchParams): EndpointAnswer {
  if (form.get("resource") !== state.resource)
    return refusal(400, "invalid_target", "the resource is not the MCP server");
  if (type === "authorization_code") return redeem(state, to, form);
  if (type === "refresh_token") return rotate(state, to, form.get("refresh_token") ?? "");
  if (type === "urn:ietf:params:oauth:grant-type:jwt-bearer") return forAssertion(state, to, form);
  if (type !== "client_credentials") return refusal(400, "unsupported_grant_type", "the grant is not known");
  const { secret, publicKey } = state.clients.get(to.clientId) ?? {};
  if (secret === undefined && publicKey === undefined)
    return refusal(400, "unauthorized_client", "the client cannot prove who it is");
  return tokens(state, to, form.get("scope"), null);
}

/** The word of the workload platform, or the grant of the identity provider (RFC 7523 section 2.1). */
function forAssertion(state: FakeAuthState, to: Receiver, form: URLSearchParams): EndpointAnswer {
  const assertion = form.get("assertion") ?? "";
  state.secrets.push(assertion);
  const claims = readAssertion(assertion, state.provider.publicKey);
  if (claims === null)
    return refusal(400, "invalid_grant", "the assertion is not signed by whom is believed");
  if (claims.aud !== state.issuer && claims.aud !== `${state.issuer}/token`)
    return refusal(400, "invalid_grant", "the assertion is for another server");
  if (claims.client_id !== undefined && claims.client_id !== to.clientId)
    return refusal(400, "invalid_grant", "the assertion is for another client");
  if (claims.resource !== undefined && claims.resource !== state.resource)
    return refusal(400, "invalid_target", "the assertion is for another resource");
  return tokens(state, to, form.get("scope"), null);
}

function redeem(state: FakeAuthState, to: Receiver, form: URLSearchParams): EndpointAnswer {
  const code = form.get("code") ?? "";
  const issued = state.codes.get(code);
  state.codes.delete(code);
  const verifier = form.get("code_verifier") ?? "";
  state.secrets.push(verifier);
  if (issued === undefined || issued.clientId !== to.clientId)
    return refusal(400, "invalid_grant", "the code is not this client's");
  if (issued.thumbprint !== null && issued.thumbprint !== to.thumbprint)
    return refusal(400, "invalid_grant", "the code is for another key");
  if (createHash("sha256").update(verifier).digest("base64url") !== issued.challenge)
    return refusal(400, "invalid_grant", "the verifier does not fit the challenge");
  if (form.get("redirect_uri") !== issued.redirectUri)
    return refusal(400, "invalid_grant", "the redirect URI is another one");
  state.families += 1;
  return tokens(state, to, issued.scope, state.families);
}

/** Each refresh token is good for one use; a second one ends all that came from it (OAuth 2.1 section 4.3.1). */
function rotate(state: FakeAuthState, to: Receiver, token: string): EndpointAnswer {
  const spent = state.spentRefresh.get(token);
  if (spent !== undefined) {
    state.breaches.push("a refresh token was used twice");
    for (const issued of [state.refresh, state.access]) {
      for (const [value, { family }] of issued) if (family === spent) issued.delete(value);
    }
  }
  const issued = state.refresh.get(token);
  if (issued === undefined || issued.clientId !== to.clientId || issued.thumbprint !== to.thumbprint)
    return refusal(400, "invalid_grant", "the refresh token is not this client's");
  state.refresh.delete(token);
  state.spentRefresh.set(token, issued.family);
  return tokens(state, to, issued.scope, issued.family);
}

function tokens(
  state: FakeAuthState,
  { clientId, thumbprint }: Receiver,
  scope: string | null,
  family: number | null,
): EndpointAnswer {
  const access = mint(state, "access");
  state.access.set(access, { clientId, scope, family: family ?? 0, thumbprint });
  const body: Record<string, unknown> = {
    access_token: access,
    token_type: thumbprint === null ? "Bearer" : "DPoP",
    expires_in: state.options.expiresIn ?? 3600,
    ...(scope === null ? {} : { scope }),
  };
  if (family !== null) {
    const refresh = mint(state, "refresh");
    state.refresh.set(refresh, { clientId, scope, family, thumbprint });
    body.refresh_token = refresh;
  }
  return { status: 200, body: state.options.editTokens?.(body) ?? body };
}
