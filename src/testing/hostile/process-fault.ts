import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import process, { kill, pid } from "node:process";
import type { HostileFault } from "./script.ts";

/** Does to this process what the fault says. Resolves where the process lives on. */
export async function suffer({ kind, ms }: HostileFault): Promise<void> {
  if (kind === "kill") kill(pid, "SIGKILL");
  else if (kind === "close_input") process.stdin.destroy();
  else if (kind === "close_output") closeSync(1);
  else if (kind === "stop") {
    // Somebody else has to wake it.
    const wake = `sleep ${(ms ?? 0) / 1000}; kill -s CONT ${pid}`;
    if (ms !== undefined) spawn("/bin/sh", ["-c", wake], { detached: true, stdio: "ignore" }).unref();
    kill(pid, "SIGSTOP");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
