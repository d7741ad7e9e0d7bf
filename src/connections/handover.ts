import type { Client, JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type Connection, noTimeout, type OpenContext } from "./connection.ts";
import { createIngestTransport } from "./ingest.ts";
import type { Negotiated } from "./negotiate.ts";
import { declaredOffers } from "./offers.ts";
import { clientCapabilitiesKey, clientInfoKey, logLevelKey, protocolVersionKey } from "./protocol.ts";
import type { Sdk } from "./sdk.ts";
import { untilAborted } from "./wait.ts";

export function createClient(sdk: Sdk, context: OpenContext, negotiation?: object): Client {
  // Capabilities name exactly what has a handler. The ingest ends lists, so the SDK need not count pages.
  return new sdk.Client(context.identity, {
    capabilities: context.requests.capabilities,
    listMaxPages: 0,
    ...negotiation,
  });
}

/**
 * Gives a transport whose era is settled to the SDK's Client without another word on the wire: it adopts the discovery,
 * or has its own `initialize` answered with what the server has already said. All of it goes over one stream.
 */
export async function handOver(
  sdk: Sdk,
  transport: Transport,
  settled: Extract<Negotiated, { type: "modern" | "legacy" }>,
  release: () => readonly JSONRPCMessage[],
  context: OpenContext,
): Promise<Omit<Connection, "facts" | "confirm" | "close">> {
  const client = createClient(sdk, context);
  const held = release();
  const ingest = createIngestTransport(transport, {
    started: true,
    requests: context.requests,
    onToolsChanged: context.onToolsChanged,
    onOffersChanged: context.onOffersChanged,
    ...(settled.type === "legacy" ? { initializeResult: settled.initialize } : {}),
  });
  const prior =
    settled.type === "legacy"
      ? ({ kind: "legacy" } as const)
      : // The discovery was repaired to what the SDK's own schema asks for, which it checks.
        ({ kind: "modern", discover: settled.discover as never } as const);
  const connecting = client.connect(ingest, { prior, signal: context.signal, timeout: noTimeout });
  await untilAborted(connecting, context.signal);
  for (const message of held) transport.onmessage?.(message);
  const meta = {
    [protocolVersionKey]: client.getNegotiatedProtocolVersion(),
    [clientInfoKey]: context.identity,
    [clientCapabilitiesKey]: context.requests.capabilities,
    ...callMetaOf(client),
  };
  const described = describeClient(client);
  return {
    client,
    ...described,
    requests: context.requests,
    mirrorsArguments: false,
    direct: ingest.direct(described.era === "modern" ? meta : null),
    unusable: ingest.unusable,
    ended: endOf(client),
  };
}

/** What the host wants to know of a connected client. */
export function describeClient(
  client: Client,
): Pick<
  Connection,
  "era" | "protocolVersion" | "announcesTools" | "offers" | "takesTasks" | "callMeta" | "instructions"
> {
  return {
    era: client.getProtocolEra() ?? "legacy",
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
    announcesTools: client.getServerCapabilities()?.tools?.listChanged === true,
    offers: declaredOffers(client),
    takesTasks: takesTasks(client),
    callMeta: callMetaOf(client),
    instructions: client.getInstructions() ?? null,
  };
}

function takesTasks(client: Client): boolean {
  const declared = client.getServerCapabilities()?.tasks?.requests?.tools?.call;
  return client.getProtocolEra() !== "modern" && declared !== undefined;
}

/** What each call carries: a modern server logs only where that is asked for (MCP 2026-07-28, logging). */
function callMetaOf(client: Client): Readonly<Record<string, unknown>> {
  const logs = client.getProtocolEra() === "modern" && client.getServerCapabilities()?.logging !== undefined;
  return logs ? { [logLevelKey]: "info" } : {};
}

/** A promise that resolves with the end of a client's connection. */
export function endOf(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.onclose = resolve;
  });
}
