import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { gone, isRunning } from "../../../test/fixtures/stdio/client.ts";
import { watchdogScript } from "./watchdog.ts";

/** A process group of its own, which is only ended by SIGKILL. */
function startGroup(): number {
  const child = spawn("/bin/sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], {
    detached: true,
    stdio: "ignore",
  });
  return child.pid ?? 0;
}

/** Whether the process has come to its `trap`: bit 14 of the ignored signals. */
function ignoresTerm(pid: number): boolean {
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${ignored}`) & 0x4000n) !== 0n;
}

test.runIf(process.platform === "linux")(
  "the watchdog kills what it was told, not what was taken back, and survives signals",
  async () => {
    const [kept, released] = [startGroup(), startGroup()];
    const watchdog = spawn("/bin/sh", ["-c", watchdogScript], { stdio: ["pipe", "ignore", "ignore"] });
    const exited = new Promise((resolve) => watchdog.once("exit", (code) => resolve(code)));
    watchdog.stdin.write(`+ ${kept}\n+ ${released}\n`);
    while (!ignoresTerm(watchdog.pid ?? 0)) await sleep(10);
    watchdog.kill("SIGTERM");
    watchdog.kill("SIGHUP");
    watchdog.stdin.end(`- ${released}\n`);
    await exited;
    await gone(kept);
    expect(isRunning(released)).toBe(true);
    process.kill(-released, "SIGKILL");
  },
);
