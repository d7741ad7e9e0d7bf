import type { HostParts } from "./parts.ts";

/**
 * Resolves once runs can begin: the state folder can be used, and the required servers are ready. In this order, so
 * that no server is blamed for a folder. Rejects with `store_failed` or a `server_*` code.
 */
export async function ready(
  { stores, connections }: Pick<HostParts, "stores" | "connections">,
  signal: AbortSignal,
): Promise<void> {
  await stores.hashKey();
  await connections.ready(signal);
}
