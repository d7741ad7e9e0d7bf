import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureServer, gone } from "../../../test/fixtures/stdio/client.ts";

const root = resolve(import.meta.dirname, "../../..");
const inShell = ["/bin/sh", "-c", `"${process.execPath}" "${fixtureServer}" --stubborn; true`];
let folder = "";
let host = "";

// Inside of node_modules, so that the built host finds the packages it imports.
beforeAll(async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "host-death-"));
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: fileURLToPath(new URL("../../../test/fixtures/stdio/host.ts", import.meta.url)),
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "host.mjs" } },
    },
  });
  host = join(folder, "host.mjs");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface TestHost {
  readonly process: ChildProcess;
  /** Process ids of the shells that lead the two servers, and of the servers. */
  readonly servers: readonly number[];
  readonly exited: Promise<unknown>;
  /** Lets the host end in its way. */
  go(): void;
}

async function startHost(end: string): Promise<TestHost> {
  const child = spawn(process.execPath, [host, end, ...inShell], { stdio: ["pipe", "pipe", "ignore"] });
  const exited = new Promise((done) => child.once("exit", (code, signal) => done(signal ?? code)));
  const line = await new Promise<string>((done) => child.stdout.once("data", (text) => done(String(text))));
  const servers = line.trim().split(" ").map(Number);
  return { process: child, servers, exited, go: () => child.stdin.write("go\n") };
}

/** The children of a host that are no servers. */
function watchdogsOf({ process: { pid }, servers }: TestHost): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  return children.filter((child) => !servers.includes(child));
}

// At the same time: each waits the seconds that a stubborn server is given.
const posix = process.platform === "win32" ? test.skip : test.concurrent;
const linux = process.platform === "linux" ? test.concurrent : test.skip;

posix("a host that is killed leaves no server, however stubborn", async () => {
  const testHost = await startHost("wait");
  expect(testHost.servers).toHaveLength(4);
  testHost.process.kill("SIGKILL");
  expect(await testHost.exited).toBe("SIGKILL");
  await Promise.all(testHost.servers.map(gone));
});

linux("one watchdog guards all servers of a host, and ends after it", async () => {
  const testHost = await startHost("wait");
  const watchdogs = watchdogsOf(testHost);
  expect(watchdogs).toHaveLength(1);
  testHost.process.kill("SIGKILL");
  await Promise.all([...testHost.servers, ...watchdogs].map(gone));
});

linux.for(["exit", "throw"])(
  "a host that ends itself (%s) leaves no server, even without a watchdog",
  async (end) => {
    const testHost = await startHost(end);
    for (const watchdog of watchdogsOf(testHost)) process.kill(watchdog, "SIGKILL");
    testHost.go();
    expect(await testHost.exited).toBe(end === "exit" ? 0 : 1);
    await Promise.all(testHost.servers.map(gone));
  },
);

posix("a host that closes its servers ends by itself: the watchdog does not hold it", async () => {
  const testHost = await startHost("close");
  testHost.go();
  expect(await testHost.exited).toBe(0);
  await Promise.all(testHost.servers.map(gone));
});
