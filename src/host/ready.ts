import type { HostParts } from "./parts.ts";

type Ready = Pick<HostParts, "stores" | "connections">;

/**
 * Resolves once runs can begin: the state folder can be used, and the required servers are ready or known. In this
 * order, so that no server is blamed for a folder. Rejects with `store_failed` or a `server_*` code.
 */
export async function ready({ stores, connections }: Ready, signal: AbortSignal): Promise<void> {
  await stores.hashKey();
  await connections.ready(signal);
}

/** The same for whoever wants to know how things are: every server, or the one, is up or has failed. */
export async function settled(parts: Ready, signal: AbortSignal, server?: string): Promise<void> {
  await ready(parts, signal);
  await parts.connections.started(signal, server);
}
