import type { Transport } from "@modelcontextprotocol/client";
import type { TransportServerConfig } from "../types/config.ts";
import { linkAbort } from "../util/abort.ts";
import { type Connection, noTimeout, type OpenContext } from "./connection.ts";
import { createClient, describeClient, endOf, handOver } from "./handover.ts";
import { createIngestTransport } from "./ingest.ts";
import { negotiate } from "./negotiate.ts";
import { probeLimitMs } from "./probe-limit.ts";
import { modernVersions } from "./protocol.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { untilAborted, withinMs } from "./wait.ts";

const closeMs = 5_000;

/** Connects over a transport that the program made. */
export async function openTransport(
  config: TransportServerConfig,
  context: OpenContext,
): Promise<Connection> {
  // `HostTransport` is the part of the SDK's interface that a program has to provide.
  const transport = config.transport as Transport;
  try {
    const sdk = await loadSdk();
    if (transport.hasPerRequestStream === true)
      return await openNegotiated(sdk, transport, config.protocol ?? "auto", context);
    return await openInPlace(sdk, transport, config.protocol ?? "auto", context);
  } catch (thrown) {
    await withinMs(transport.close(), closeMs);
    throw context.failures.fromThrown(thrown);
  }
}

/** Connects over a transport that carries everything in one stream, the era asked for in place. */
export async function openInPlace(
  sdk: Sdk,
  transport: Transport,
  mode: "auto" | "modern" | "legacy",
  context: OpenContext,
): Promise<Connection> {
  await untilAborted(transport.start(), context.signal);
  const { identity, clock, limits } = context;
  const { capabilities } = context.requests;
  const unsent = linkAbort(context.signal);
  const negotiation = negotiate(transport, {
    mode,
    hedgeMs: probeLimitMs(limits),
    identity,
    capabilities,
    clock,
    // A connection that is closed is told as that.
    onUnsent: (error) => void setImmediate(() => unsent.abort(error)),
  });
  const outcome = await untilAborted(negotiation.settled, unsent.signal).finally(() => unsent.end());
  if (outcome.type === "exited")
    throw context.failures.make("server_exited", "it closed the connection at once");
  if (outcome.type === "refused") throw context.failures.make("server_protocol", outcome.reason);
  const connected = await handOver(sdk, transport, outcome, negotiation.release, context);
  return {
    ...connected,
    facts: () => null,
    confirm: () => {},
    close: () => withinMs(connected.client.close(), closeMs),
  };
}

/**
 * Connects over a transport with one stream a request (Streamable HTTP), where the SDK's own negotiation asks in place
 * and reads HTTP statuses too.
 */
export async function openNegotiated(
  sdk: Sdk,
  transport: Transport,
  mode: "auto" | "modern" | "legacy",
  context: OpenContext,
): Promise<Connection> {
  const versionNegotiation =
    mode === "modern"
      ? { mode: { pin: modernVersions[0] } }
      : { mode, probe: { timeoutMs: probeLimitMs(context.limits) } };
  const client = createClient(sdk, context, { versionNegotiation });
  const ingest = createIngestTransport(transport, {
    requests: context.requests,
    onToolsChanged: context.onToolsChanged,
    onOffersChanged: context.onOffersChanged,
  });
  const prior =
    context.discovery === undefined || mode === "legacy"
      ? {}
      : // It was the SDK's own result when it was kept; it checks it again.
        { prior: { kind: "modern", discover: context.discovery as never } as const };
  const connecting = client.connect(ingest, { ...prior, signal: context.signal, timeout: noTimeout });
  await untilAborted(connecting, context.signal);
  const described = describeClient(client);
  return {
    client,
    ...described,
    mirrorsArguments: described.era === "modern",
    direct: null,
    unusable: ingest.unusable,
    facts: () => null,
    confirm: () => {},
    isAssumed: "prior" in prior,
    ended: endOf(client),
    requests: context.requests,
    close: () => withinMs(client.close(), closeMs),
  };
}
