import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export type EndSignal = "SIGTERM" | "SIGKILL";

/** How long the rest of a group has between SIGTERM and SIGKILL once its leader is gone. */
export const sweepGraceMs = 1000;

/**
 * How long a killed group is waited for. The wait has to end by itself: where nothing reaps orphans, a group of zombies
 * answers for ever as if it lived.
 */
const sweepKillMs = 200;
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

/**
 * Ends what a server left behind when it exited: grandchildren in its group. `graceMs` is asked again and again, so that
 * somebody in a hurry can shorten it.
 */
export async function sweepGroup(leader: number, graceMs: () => number): Promise<void> {
  if (!groupAlive(leader)) return;
  signalGroup(leader, "SIGTERM");
  await groupGone(leader, graceMs);
  if (!groupAlive(leader)) return;
  signalGroup(leader, "SIGKILL");
  await groupGone(leader, () => sweepKillMs);
}

async function groupGone(leader: number, limitMs: () => number): Promise<void> {
  for (let waited = 0; waited < limitMs() && groupAlive(leader); waited += pollMs) await sleep(pollMs);
}
