// How the host is told about the server of a scenario: as a person would write it, with all that it may offer a server,
// and the era left to the host.
import { ownTransport } from "./own-transport.mjs";

/** Where a real host publishes what it is; the suite's authorization servers take it without a look. */
const clientMetadataUrl = "https://conformance-test.local/client-metadata.json";

/**
 * @param {string} url
 * @param {string} scenario
 * @param {Record<string, string>} context what the scenario hands out
 * @returns {Promise<import("drawbridge-mcp").ServerConfig>}
 */
export async function serverOf(url, scenario, context) {
  const transport = await ownTransport(url, scenario, context);
  const offered = { sampling: true, roots: [import.meta.dirname] };
  return transport === null
    ? { url, auth: authOf(scenario, context), ...offered }
    : { transport, ...offered };
}

function authOf(scenario, context) {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (clientId === undefined) return { clientMetadataUrl };
  const grant = scenario.startsWith("auth/client-credentials") ? "client_credentials" : "authorization_code";
  const algorithm = context.signing_algorithm;
  return { grant, clientId, clientSecret, privateKey, algorithm };
}
