import type { Clock } from "../../types/ports.ts";

const mostKept = 100;
/** A server need not say that something outside of the host is done. */
const longestWaitMs = 2_000;

/** What servers say is done outside of the host (MCP 2025-11-25, `notifications/elicitation/complete`). */
export interface Completions {
  done(elicitationId: unknown): void;
  /** Resolves once it is done, after a while without a word of it, or when the signal fires. */
  wait(elicitationId: unknown, signal: AbortSignal): Promise<void>;
}

export function createCompletions(clock: Clock): Completions {
  const done = new Set<unknown>();
  const waiting = new Map<unknown, () => void>();
  return {
    done(elicitationId) {
      if (done.size >= mostKept) done.clear();
      if (typeof elicitationId === "string" && elicitationId.length <= 1_000) done.add(elicitationId);
      waiting.get(elicitationId)?.();
    },
    wait(elicitationId, signal) {
      if (done.has(elicitationId) || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = (): void => {
          cancel();
          waiting.delete(elicitationId);
          signal.removeEventListener("abort", finish);
          resolve();
        };
        const cancel = clock.after(longestWaitMs, finish);
        waiting.set(elicitationId, finish);
        signal.addEventListener("abort", finish, { once: true });
      });
    },
  };
}
