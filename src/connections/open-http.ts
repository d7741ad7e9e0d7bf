import type { HttpServerConfig } from "../types/config.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createHostFetch } from "./http.ts";
import { openNegotiated } from "./open-transport.ts";
import { loadSdk } from "./sdk.ts";
import { createSessionTransport } from "./session.ts";
import { withinMs } from "./wait.ts";

const farewellMs = 1_000;
const closeMs = 5_000;

/** Connects to a server at a URL over Streamable HTTP. */
export async function openHttp(config: HttpServerConfig, context: OpenContext): Promise<Connection> {
  let close = async (): Promise<void> => {};
  try {
    const sdk = await loadSdk();
    const http = new sdk.StreamableHTTPClientTransport(new URL(config.url), {
      fetch: createHostFetch({
        fetch: context.fetch,
        clock: context.clock,
        messageBytes: context.limits.messageBytes,
      }),
      requestInit: { headers: { ...config.headers } },
    });
    close = () => withinMs(http.close(), closeMs);
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
    await close();
    throw context.failures.fromThrown(thrown);
  }
}
