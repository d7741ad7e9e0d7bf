import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export type EndSignal = "SIGTERM" | "SIGKILL";

/**
 * How long one signal may take to empty a group. The wait has to end by itself: where nothing reaps orphans, a group
 * of zombies answers for ever as if it lived.
 */
const sweepStepMs = 500;
const pollMs = 20;

/** Signals a server and everything it started. A group that is gone, or not ours to signal, is no error. */
export function signalGroup(leader: number, signal: EndSignal): void {
  if (process.platform === "win32") {
    // There is no gentle signal on Windows: the end of its input was the polite request.
    if (signal === "SIGKILL") killTree(leader);
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // Nobody is left to signal.
  }
}

function killTree(leader: number): void {
  const killer = spawn("taskkill", ["/PID", String(leader), "/T", "/F"], {
    stdio: "ignore",
    windowsHide: true,
  });
  killer.on("error", () => {});
  killer.unref();
}

function groupAlive(leader: number): boolean {
  if (process.platform === "win32") return false;
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

/** Ends what a server left behind when it exited: grandchildren in its group. Takes a second at most. */
export async function sweepGroup(leader: number): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!groupAlive(leader)) return;
    signalGroup(leader, signal);
    for (let waited = 0; waited < sweepStepMs && groupAlive(leader); waited += pollMs) await sleep(pollMs);
  }
}
