import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { environment, homeFolder, processesOf, processesWith, root, start } from "../cli/command.ts";
import { drawbridge } from "./command.ts";

const linux = process.platform === "linux";

/** A server that never answers a call, behind a shell of its own: a child and a grandchild. */
const hanging = (marker: string) =>
  `notes=sh -c 'node test/cli/fixtures/server.mjs hangs ${marker}; true' ${marker}`;

/** Whoever is left when the host is gone has a moment to end. */
async function nobodyLeft(home: string): Promise<string[]> {
  for (let tries = 0; tries < 100 && processesOf(home).length > 0; tries++) await delay(100);
  return processesOf(home);
}

const unchanged = /✓ [1-9]\d* records in 1 file: unchanged\./;

async function verified(home: string): Promise<void> {
  const { code, stdout } = await drawbridge(["audit", "verify"], { home });
  expect(stdout).toMatch(unchanged);
  expect(code).toBe(0);
}

/** A record and its head are two writes: what is killed after both has no excuse. */
async function headsNoted(home: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if (unchanged.test((await drawbridge(["audit", "verify"], { home })).stdout)) return;
    await delay(100);
  }
}

test.runIf(linux).each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s to the host in the middle of a call leaves no child or grandchild, and an audit log that holds",
  async (signal) => {
    const home = homeFolder();
    const marker = `death-${signal}-${process.pid}`;
    const running = start(['Read the note "a.txt"', "--server", hanging(marker), "--trust", "notes"], home);
    await running.saw("→ notes/read_note");
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(2);
    await headsNoted(home);
    running.child.kill(signal);
    await running.finished;
    expect(await nobodyLeft(home)).toEqual([]);
    await verified(home);
  },
);

const program = `
  import { createHost } from ${JSON.stringify(join(root, "dist/index.js"))};
  const [marker] = process.argv.slice(1);
  const args = ["-c", "node test/cli/fixtures/server.mjs hangs " + marker + "; true", marker];
  const host = createHost({ servers: { notes: { command: "sh", args } }, policy: { trust: ["notes"] }, model: "offline" });
  for await (const event of host.run('Read the note "a.txt"')) {
    if (event.type === "call_started") setTimeout(() => { throw new Error("a slip of the program"); }, 100);
  }
`;

test.runIf(linux)("a program that crashes in the middle of a call leaves nothing behind either", async () => {
  const home = homeFolder();
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, `crash-${process.pid}`], {
    cwd: root,
    env: environment(home),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(stderr).toContain("a slip of the program");
  expect(code).toBe(1);
  expect(await nobodyLeft(home)).toEqual([]);
  await verified(home);
});
