import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { EndSignal } from "./process-group.ts";

/**
 * The variable by which everything that a server starts is known again: what begins a session of its own (`setsid`) is in
 * no group of ours, but has inherited this. Only what clears its environment is not found.
 */
export const markName = "DRAWBRIDGE_SERVER";

/** Begins every mark of this process: the watchdog looks for all of them at once. */
export const hostMark: string = randomBytes(12).toString("hex");

let made = 0;

/** A mark for one start of a server. */
export function newMark(): string {
  made += 1;
  return `${hostMark}.${made}.`;
}

/** The numbers of all processes, as texts. None where there is no `/proc`, as on macOS. */
function processNumbers(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Whether the environment of a process has a mark that begins like this. */
function hasMark(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(`${markName}=${mark}`);
  } catch {
    // It is somebody else's, or gone.
    return false;
  }
}

function signal(pid: string, name: EndSignal): void {
  try {
    process.kill(Number(pid), name);
  } catch {
    // It has just ended.
  }
}

/** Kills all that this process' servers have left anywhere; for its last moment. */
export function killAllMarked(): void {
  for (const pid of processNumbers()) if (hasMark(pid, hostMark)) signal(pid, "SIGKILL");
}

/** After so many processes the event loop gets its turn: a large machine has thousands. */
const manyProcesses = 50;

async function markedProcesses(mark: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, pid] of processNumbers().entries()) {
    if (index % manyProcesses === manyProcesses - 1) await immediate();
    if (hasMark(pid, mark)) found.push(pid);
  }
  return found;
}

const pollMs = 50;
/** How long killed processes are waited for. */
const killedMs = 200;

/** Ends what a server left behind outside of its group. `graceMs` lies between SIGTERM and SIGKILL. */
export async function sweepMarked(mark: string, graceMs: () => number): Promise<void> {
  const left = await markedProcesses(mark);
  for (const pid of left) signal(pid, "SIGTERM");
  if (await gone(left, mark, graceMs)) return;
  const stubborn = await markedProcesses(mark);
  for (const pid of stubborn) signal(pid, "SIGKILL");
  await gone(stubborn, mark, () => killedMs);
}

/** Waits for processes, no longer than that; whether all are gone. A zombie has no environment. */
async function gone(pids: readonly string[], mark: string, limitMs: () => number): Promise<boolean> {
  let left = pids;
  for (let waited = 0; left.length > 0 && waited < limitMs(); waited += pollMs) {
    await sleep(pollMs);
    left = left.filter((pid) => hasMark(pid, mark));
  }
  return left.length === 0;
}
