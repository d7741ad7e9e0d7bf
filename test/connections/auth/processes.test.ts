import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { logIn } from "../../../src/host/logins.ts";
import { createTokenFiles } from "../../../src/stores/token-files.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { never } from "../../fixtures/connections/connect.ts";
import { fakeAuth } from "./setup.ts";

const program = join(import.meta.dirname, "../../fixtures/connections/token-user.mjs");

function user(url: string, state: string) {
  const child = spawn(process.execPath, [program, url, state, "ann"], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const waiting: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    for (const look of waiting) look();
  });
  const saw = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (said.includes(text)) resolve();
      };
      waiting.push(look);
      look();
    });
  const over = new Promise<string>((resolve) => child.on("close", () => resolve(said)));
  return { child, saw, over };
}

test("two processes with one rotating token make it new once, and both get the new one", async () => {
  const fake = await fakeAuth({ tokenDelayMs: 300 });
  const state = mkdtempSync(join(tmpdir(), "drawbridge-logins-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const config = { url: fake.url };
  await logIn("s", config, { state, principal: "ann", authorize: ({ url }) => fake.visit(url) });
  const users = [user(fake.url, state), user(fake.url, state)];
  await Promise.all(users.map(({ saw }) => saw("ready")));
  fake.expireTokens();
  for (const { child } of users) child.stdin.write("go\n");
  expect(await Promise.all(users.map(({ over }) => over))).toEqual([
    "ready\nanswered 3\n",
    "ready\nanswered 3\n",
  ]);
  expect(fake.tokenRequests.map(({ grantType, error }) => [grantType, error])).toEqual([
    ["authorization_code", null],
    ["refresh_token", null],
  ]);
  expect(fake.breaches).toEqual([]);
  const folder = join(state, "logins");
  const files = await readdir(folder);
  expect(files.length).toBe(1);
  expect(statSync(join(folder, files[0] ?? "")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("the lock of a process that was killed in its renewal holds nobody up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-logins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = createTokenFiles(folder, systemClock);
  const [lock = ""] = await store.exclusive("key", never, () => readdir(folder));
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"]);
  onTestFinished(() => void other.kill("SIGKILL"));
  await new Promise((resolve) => other.stdout.once("data", resolve));
  // Field 22 of the file, behind the name in parentheses.
  const stat = process.platform === "linux" ? readFileSync(`/proc/${other.pid}/stat`, "latin1") : "";
  const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  const holder = { pid: other.pid, host: hostname(), started, token: "lock_of_other" };
  writeFileSync(join(folder, lock), JSON.stringify(holder));
  const order: string[] = [];
  const waiting = store.exclusive("key", never, async () => order.push("mine"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  order.push("killed");
  other.kill("SIGKILL");
  await waiting;
  expect(order).toEqual(["killed", "mine"]);
  expect(await readdir(folder)).toEqual([]);
});

test("a wait for a lock ends with its signal", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-logins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = createTokenFiles(folder, systemClock);
  const abort = new AbortController();
  await store.exclusive("key", never, async () => {
    const waiting = store.exclusive("key", abort.signal, async () => "never");
    abort.abort(new Error("long enough"));
    await expect(waiting).rejects.toThrow("long enough");
  });
});
