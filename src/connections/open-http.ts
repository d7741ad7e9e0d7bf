import type { HttpServerConfig } from "../types/config.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { httpStatus } from "./failure.ts";
import { createHostFetch } from "./http.ts";
import { openInPlace, openNegotiated } from "./open-transport.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { createSessionTransport } from "./session.ts";
import { withinMs } from "./wait.ts";

const farewellMs = 1_000;
const closeMs = 5_000;

/** Statuses with which a server that only knows the older transport turns the newer one down. */
const turnedDown: readonly unknown[] = [400, 404, 405];

/**
 * Connects to a server at a URL over Streamable HTTP, or over HTTP+SSE where it turns that down (MCP 2025-03-26,
 * backwards compatibility).
 */
export async function openHttp(config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  try {
    const sdk = await loadSdk();
    try {
      return await openStreamable(sdk, config, context);
    } catch (thrown) {
      if (config.protocol === "modern" || !turnedDown.includes(httpStatus(thrown))) throw thrown;
      // Where the older transport does not work either, the newer one's error says more.
      return await openEvents(sdk, config, context).catch(() => Promise.reject(thrown));
    }
  } catch (thrown) {
    throw context.failures.fromThrown(thrown);
  }
}

function hostFetch(context: OpenContext): typeof fetch {
  const { fetch, clock, limits } = context;
  return createHostFetch({ fetch, clock, messageBytes: limits.messageBytes });
}

async function openStreamable(sdk: Sdk, config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  const http = new sdk.StreamableHTTPClientTransport(new URL(config.url), {
    fetch: hostFetch(context),
    requestInit: { headers: { ...config.headers } },
  });
  try {
    const session = createSessionTransport(http, context.onToolsChanged);
    const connection = await openNegotiated(sdk, session, context);
    return {
      ...connection,
      close: async () => {
        // A legacy server keeps a session until it is told (MCP 2025-11-25, session management).
        if (http.sessionId !== undefined) await withinMs(http.terminateSession(), farewellMs);
        await connection.close();
      },
    };
  } catch (thrown) {
    await withinMs(http.close(), closeMs);
    throw thrown;
  }
}

/** HTTP+SSE (MCP 2024-11-05): one stream for everything the server says. */
async function openEvents(sdk: Sdk, config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  const events = new sdk.SSEClientTransport(new URL(config.url), {
    fetch: hostFetch(context),
    requestInit: { headers: { ...config.headers } },
  });
  try {
    return await openInPlace(sdk, events, "legacy", context);
  } catch (thrown) {
    await withinMs(events.close(), closeMs);
    throw thrown;
  }
}
