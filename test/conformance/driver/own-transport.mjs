// Grants and proofs that no config of a server names. A program gives the host a transport of its own for them, with a
// provider for the SDK's OAuth client; everything above the transport is the host's.
import {
  auth,
  CrossAppAccessProvider,
  DpopSession,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { agree } from "./agree.mjs";

const redirectUrl = "http://127.0.0.1:9/callback";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** By scenario: a provider, ready to be used. */
const providers = {
  "auth/enterprise-managed-authorization": enterprise,
  "auth/wif-jwt-bearer": workload,
  "auth/dpop": bound,
  "auth/dpop-nonce": bound,
};

/** A transport for a scenario that needs one of its own; null for the others. */
export async function ownTransport(url, scenario, context) {
  const provider = providers[scenario];
  if (provider === undefined) return null;
  return new StreamableHTTPClientTransport(new URL(url), { authProvider: await provider(context, url) });
}

/** Enterprise-managed authorization (SEP-990): the employer's identity provider vouches for the person. */
function enterprise(context) {
  return new CrossAppAccessProvider({
    clientId: context.client_id,
    clientSecret: context.client_secret,
    async assertion({ authorizationServerUrl, resourceUrl, scope, fetchFn }) {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: context.idp_token_endpoint,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: context.idp_id_token,
        clientId: context.idp_client_id,
        scope,
        fetchFn,
      });
      return jwtAuthGrant;
    },
  });
}

/** Workload identity federation (SEP-1933): the platform vouches for the workload. */
function workload(context) {
  return {
    ...memory({ client_id: context.client_id }),
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], grant_types: [jwtBearer], token_endpoint_auth_method: "none" },
    prepareTokenRequest(scope) {
      const request = new URLSearchParams({ grant_type: jwtBearer, assertion: context.valid_jwt });
      if (scope !== undefined) request.set("scope", scope);
      return request;
    },
  };
}

/** Tokens that are bound to a key (RFC 9449), by a login that is over before the host starts. */
async function bound(_context, url) {
  const session = await DpopSession.create();
  let asked;
  const provider = {
    ...memory(undefined),
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    dpop: () => session,
    redirectToAuthorization(place) {
      asked = place;
    },
  };
  await auth(provider, { serverUrl: url });
  const signal = AbortSignal.timeout(20_000);
  const back = new URL(await agree({ url: asked, redirectUri: redirectUrl, signal }));
  const { code, iss } = Object.fromEntries(back.searchParams);
  await auth(provider, { serverUrl: url, authorizationCode: code, iss });
  return provider;
}

/** What a provider has to keep, for as long as the program runs. */
function memory(client) {
  let tokens;
  let verifier = "";
  return {
    clientInformation: () => client,
    saveClientInformation(given) {
      client = given;
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given;
    },
    redirectToAuthorization() {
      throw new Error("Nobody is there to log in.");
    },
  };
}
