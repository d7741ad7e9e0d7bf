import type { Limits } from "../types/config.ts";

/** How long a server may be silent when it is asked for its era: half of its start is left for the other one. Milliseconds. */
export function probeLimitMs({ eraProbeMs, serverStartMs }: Limits): number {
  return Math.min(eraProbeMs, serverStartMs / 2);
}
