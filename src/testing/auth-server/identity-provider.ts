import { createServer, type Server } from "node:http";
import { readAssertion, signAssertion } from "./assertions.ts";
import type { EndpointAnswer } from "./endpoints.ts";
import type { FakeAuthState } from "./state.ts";

const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const identity = "urn:ietf:params:oauth:token-type:id_token";
const identityGrantType = "urn:ietf:params:oauth:token-type:id-jag";

/** An employer's identity provider: it gives grants for the fake authorization server to its one person. */
export function createIdentityProvider(state: FakeAuthState): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
      state.requests.push(`idp ${request.method} ${path}`);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const { status, body } = answer(state, `${request.method} ${path}`, form);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body ?? {}));
    });
  });
}

function answer(state: FakeAuthState, line: string, form: URLSearchParams): EndpointAnswer {
  const { provider } = state;
  if (line === "GET /.well-known/openid-configuration") {
    const metadata = { issuer: provider.issuer, token_endpoint: `${provider.issuer}/token` };
    return { status: 200, body: state.options.editProviderMetadata?.(metadata) ?? metadata };
  }
  if (line !== "POST /token") return { status: 404 };
  const refusal = (error: string, text: string): EndpointAnswer => ({
    status: 400,
    body: { error, error_description: text },
  });
  if (form.get("grant_type") !== exchange)
    return refusal("unsupported_grant_type", "it only exchanges tokens");
  if (form.get("client_id") !== provider.clientId)
    return refusal("invalid_client", "the client is not known");
  if (form.get("subject_token_type") !== identity || form.get("requested_token_type") !== identityGrantType)
    return refusal("invalid_request", "the types are others");
  const claims = readAssertion(form.get("subject_token") ?? "", provider.publicKey);
  if (claims === null || claims.aud !== provider.clientId)
    return refusal("invalid_grant", "the identity token is not of this client");
  if (form.get("audience") !== state.issuer || form.get("resource") !== state.resource)
    return refusal("invalid_target", "the grant is for nobody that is known");
  const grant = signAssertion(
    {
      iss: provider.issuer,
      sub: claims.sub,
      aud: form.get("audience"),
      resource: form.get("resource"),
      client_id: provider.grantsTo,
      scope: form.get("scope"),
    },
    provider.privateKey,
    "oauth-id-jag+jwt",
  );
  state.secrets.push(grant);
  return {
    status: 200,
    body: { access_token: grant, issued_token_type: identityGrantType, token_type: "N_A", expires_in: 300 },
  };
}
