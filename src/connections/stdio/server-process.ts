import type { ChildProcess } from "node:child_process";
import type { HostError } from "../../errors.ts";
import { withinMs } from "../wait.ts";
import { sweepMarked } from "./marked-processes.ts";
import { signalGroup, sweepGraceMs, sweepGroup } from "./process-group.ts";
import { guardGroup, releaseGroup } from "./watchdog.ts";

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What is tried to end a process, and how long it then has. */
export interface EndStep {
  readonly act: () => void;
  readonly waitMs: number;
}

/** A child process from its start to the last of its group. */
export interface ServerProcess {
  readonly pid: number | null;
  /** Settles once the process runs, or cannot; only then the other promises mean anything. */
  readonly spawned: Promise<void>;
  /** The process exited and its last output was read. Never rejects. */
  readonly ended: Promise<void>;
  exit(): ProcessExit | null;
  /**
   * Takes the steps until the process exits, kills it when they do not help, and waits for the rest of its group, which
   * has `graceMs` after its own SIGTERM. Never rejects.
   */
  end(steps: readonly EndStep[], graceMs?: number): Promise<void>;
}

/** For output that is still on its way when the process has exited; a grandchild may hold the pipe for ever. */
const drainMs = 250;

/** For a killed process to be gone; one that hangs in the kernel is given up after it. */
const killMs = 1000;

/** Follows a child process with this mark in its environment. `path` is where the watchdog finds its tools. */
export function followProcess(
  child: ChildProcess,
  mark: string,
  path: string | undefined,
  asStartError: (cause: unknown) => HostError,
): ServerProcess {
  const pid = child.pid ?? null;
  let exit: ProcessExit | null = null;
  let sweepMs = sweepGraceMs;
  let settleExit = (_facts: ProcessExit) => {};
  const exited = new Promise<void>((resolve) => {
    settleExit = (facts) => {
      exit ??= facts;
      resolve();
    };
  });
  child.once("exit", (code, signal) => settleExit({ code, signal }));
  const spawned = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", (cause) => reject(asStartError(cause)));
  });
  if (pid !== null) guardGroup(pid, path);

  const ended = exited.then(() => outputDrained(child)).then(() => destroyPipes(child));
  const swept = exited.then(async () => {
    if (pid === null) return;
    await Promise.all([sweepGroup(pid, () => sweepMs), sweepMarked(mark, () => sweepMs)]);
    releaseGroup(pid);
  });

  async function end(steps: readonly EndStep[], graceMs = sweepGraceMs): Promise<void> {
    sweepMs = Math.min(sweepMs, graceMs);
    const last: EndStep = { act: () => pid !== null && signalGroup(pid, "SIGKILL"), waitMs: killMs };
    for (const step of [...steps, last]) {
      if (exit !== null) break;
      step.act();
      await withinMs(exited, step.waitMs);
    }
    if (exit === null) {
      child.unref();
      settleExit({ code: null, signal: null });
    }
    await Promise.all([ended, swept]);
  }

  spawned.catch(() => {
    destroyPipes(child);
    settleExit({ code: null, signal: null });
  });
  return { pid, spawned, ended, exit: () => exit, end };
}

function pipesOf(child: ChildProcess) {
  return [child.stdin, child.stdout, child.stderr].filter((pipe) => pipe !== null && pipe !== undefined);
}

function outputDrained(child: ChildProcess): Promise<void> {
  const open = pipesOf(child).filter((pipe) => pipe !== child.stdin && !pipe.closed);
  const closed = Promise.all(open.map((pipe) => new Promise((resolve) => pipe.once("close", resolve))));
  // A busy host may be late for the timer: what is already in the pipe is read before the limit counts.
  return withinMs(closed, drainMs).then(() => new Promise((resolve) => setImmediate(resolve)));
}

function destroyPipes(child: ChildProcess): void {
  for (const pipe of pipesOf(child)) pipe.destroy();
}
