import type { HttpServerConfig } from "../../types/config.ts";
import { clientCapabilitiesKey, modernVersions, protocolVersionKey } from "../protocol.ts";
import type { Sdk } from "../sdk.ts";
import { authError } from "./auth-error.ts";
import { type Challenge, readChallenge } from "./challenge.ts";

/** Starts no session and changes nothing: servers of every revision answer it, if only with an error. */
const question = JSON.stringify({
  jsonrpc: "2.0",
  id: "host-login",
  method: "server/discover",
  params: {
    _meta: {
      [protocolVersionKey]: modernVersions[0],
      [clientCapabilitiesKey]: {},
    },
  },
});

/** What a server says to a request: its challenge, or null when it takes the request. */
export async function probe(
  sdk: Sdk,
  fetch: typeof globalThis.fetch,
  config: HttpServerConfig,
  signal: AbortSignal,
): Promise<Challenge | null> {
  const headers = new Headers(config.headers);
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  headers.set("mcp-protocol-version", modernVersions[0]);
  headers.set("mcp-method", "server/discover");
  let response: Response;
  try {
    response = await fetch(config.url, { method: "POST", headers, body: question, signal });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw authError('it cannot be reached. Check "url" and the network', thrown);
  }
  await response.body?.cancel();
  return readChallenge(sdk, response);
}
