import type { Client } from "@modelcontextprotocol/client";
import type { Clock } from "../types/ports.ts";
import { hasLasted, pauseMs } from "./back-off.ts";
import { codeOf } from "./error-members.ts";
import { methodNotFound } from "./protocol.ts";
import { sleep } from "./sleep.ts";

const firstPauseMs = 500;
const acknowledgeMs = 30_000;

/** The lists whose changes are wanted. A server is asked only for what it announces. */
export interface ChangeFilter {
  readonly toolsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly promptsListChanged?: true;
}

/**
 * Keeps a subscription to changes of the lists open on a modern server (`subscriptions/listen`, MCP 2026-07-28): a
 * server or a proxy may end it at any time, and what changed meanwhile is told to nobody.
 * @param onOpened called each time it is open, again or for the first time.
 * @returns stops listening.
 */
export function keepListening(
  client: Client,
  filter: ChangeFilter,
  clock: Clock,
  onOpened: () => void,
): () => void {
  let stopped = false;
  let wake = (): void => {};
  void listen();
  return () => {
    stopped = true;
    wake();
  };

  async function listen(): Promise<void> {
    for (let failures = 0; !stopped; failures++) {
      try {
        const subscription = await client.listen(filter, { timeout: acknowledgeMs });
        const openedAt = clock.now();
        if (!stopped) onOpened();
        if ((await subscription.closed) === "local") return;
        if (hasLasted(clock.now() - openedAt)) failures = 0;
      } catch (error) {
        if (codeOf(error) === methodNotFound) return;
      }
      if (stopped) return;
      await sleep(clock, pauseMs(firstPauseMs, failures), null, (stop) => {
        wake = stop;
      });
    }
  }
}
