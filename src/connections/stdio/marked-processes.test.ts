import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { connect, gone, isRunning } from "../../../test/fixtures/stdio/client.ts";
import { markName, newMark, sweepMarked } from "./marked-processes.ts";
import { watchdogScript } from "./watchdog.ts";

// Elsewhere there is no `/proc`.
const linux = process.platform === "linux" ? test.concurrent : test.skip;
const idle = ["-e", "process.on('SIGTERM', () => {}); console.log(1); setInterval(() => {}, 1000);"];

/** A process outside of every group of ours that ignores SIGTERM, once it does. */
async function startDetached(environment: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, idle, {
    detached: true,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.unref();
  return child.pid ?? 0;
}

linux.for(["grandchild", "daemon"])(
  "a %s in a session of its own does not outlive its server",
  async (method) => {
    const { transport, request } = connect();
    await transport.start();
    const pid = Number((await request(method, { detached: true })).result);
    expect(isRunning(pid)).toBe(true);
    await transport.close();
    await gone(pid);
  },
);

linux("what has another mark, or none, is left alone", async () => {
  const [mine, other] = [newMark(), newMark()];
  const pids = await Promise.all([
    startDetached({ [markName]: mine }),
    startDetached({ [markName]: other }),
    startDetached({}),
  ]);
  await sweepMarked(mine, () => 100);
  await gone(pids[0]);
  expect(pids.map(isRunning)).toEqual([false, true, true]);
  for (const pid of pids.slice(1)) process.kill(pid, "SIGKILL");
});

linux("the watchdog kills what has the mark of a host that was killed", async () => {
  const mark = newMark();
  const [marked, group] = await Promise.all([startDetached({ [markName]: mark }), startDetached({})]);
  const watchdog = spawn("/bin/sh", ["-c", watchdogScript, "sh", mark], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.stdin.end(`+ ${group}\n`);
  await Promise.all([gone(marked), gone(group)]);
});
