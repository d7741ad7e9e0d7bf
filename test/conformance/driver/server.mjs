// How the host is told about the server of a scenario: as a person would write it, with all that it may offer a server,
// and the era left to the host.
/** Where a real host publishes what it is; the suite's authorization servers take it without a look. */
const clientMetadataUrl = "https://conformance-test.local/client-metadata.json";

/**
 * @param {string} url
 * @param {string} scenario
 * @param {Record<string, string>} context what the scenario hands out
 * @returns {import("drawbridge-mcp").ServerConfig}
 */
export function serverOf(url, scenario, context) {
  return { url, auth: authOf(scenario, context), sampling: true, roots: [import.meta.dirname] };
}

function authOf(scenario, context) {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (clientId === undefined) return { clientMetadataUrl };
  const client = { clientId, clientSecret, privateKey, algorithm: context.signing_algorithm };
  if (scenario.startsWith("auth/client-credentials")) return { grant: "client_credentials", ...client };
  if (context.valid_jwt !== undefined)
    return { grant: "jwt_bearer", assertion: context.valid_jwt, ...client };
  if (context.idp_issuer !== undefined)
    return { grant: "jwt_bearer", identityProvider: providerOf(context), ...client };
  return client;
}

function providerOf(context) {
  const { idp_issuer: issuer, idp_client_id: clientId, idp_id_token: idToken } = context;
  return { issuer, clientId, idToken };
}
