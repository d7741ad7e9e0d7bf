import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { logIn } from "../../../src/host/logins.ts";
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
