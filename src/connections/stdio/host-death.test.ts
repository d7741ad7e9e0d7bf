import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
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
      ssr: join(root, "test/fixtures/stdio/host.ts"),
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "host.mjs" } },
    },
  });
  host = join(folder, "host.mjs");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A host with two servers under it, and their process ids: of the shells that lead them, and of themselves. */
async function startHost(
  end: string,
): Promise<{ process: ChildProcess; servers: number[]; exited: Promise<unknown> }> {
  const child = spawn(process.execPath, [host, end, ...inShell], { stdio: ["ignore", "pipe", "ignore"] });
  const exited = new Promise((done) => child.once("exit", (code, signal) => done(signal ?? code)));
  const line = await new Promise<string>((done) => child.stdout.once("data", (text) => done(String(text))));
  return { process: child, servers: line.trim().split(" ").map(Number), exited };
}

const posix = test.runIf(process.platform !== "win32");

posix("a host that is killed leaves no server, however stubborn", async () => {
  const { process: child, servers, exited } = await startHost("wait");
  expect(servers).toHaveLength(4);
  child.kill("SIGKILL");
  expect(await exited).toBe("SIGKILL");
  await Promise.all(servers.map(gone));
});

test.runIf(process.platform === "linux")(
  "one watchdog guards all servers of a host, and ends after it",
  async () => {
    const { process: child, servers, exited } = await startHost("wait");
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")
      .trim()
      .split(" ")
      .map(Number);
    const watchdogs = children.filter((pid) => !servers.includes(pid));
    expect(watchdogs).toHaveLength(1);
    child.kill("SIGKILL");
    await exited;
    await Promise.all([...servers, ...watchdogs].map(gone));
  },
);

posix.for(["exit", "throw"])("a host that ends itself (%s) leaves no server", async (end) => {
  const { servers, exited } = await startHost(end);
  await exited;
  await Promise.all(servers.map(gone));
});

posix("a host that closes its servers ends by itself: the watchdog does not hold it", async () => {
  const { servers, exited } = await startHost("close");
  expect(await exited).toBe(0);
  await Promise.all(servers.map(gone));
});
