import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { StoredLogin, TokenStore } from "../types/auth.ts";
import { systemClock } from "../util/clock.ts";
import { createTokenFiles } from "./token-files.ts";
import { parseLogin } from "./token-login.ts";
import { createTokenMemory } from "./token-memory.ts";

const login: StoredLogin = {
  version: 1,
  principal: "ann",
  server: "https://mcp.example/mcp",
  issuer: "https://as.example",
  resource: "https://mcp.example/mcp",
  tokenEndpoint: "https://as.example/token",
  authMethods: ["none"],
  client: { origin: "registration", id: "c", redirectUri: "http://127.0.0.1:1/callback" },
  tokens: { access: "a", refresh: "r", expiresAt: 2, obtainedAt: 1, scope: "read" },
};
const never = new AbortController().signal;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "drawbridge-logins-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, "logins");
}

const stores: readonly [string, () => TokenStore][] = [
  ["in files", () => createTokenFiles(folder(), systemClock)],
  ["in memory", createTokenMemory],
];

test.each(stores)("logins %s are kept by key, listed and forgotten", async (_, make) => {
  const store = make();
  expect(await store.read("one")).toBeNull();
  await store.write("one", login);
  await store.write("two", { ...login, tokens: null });
  expect(await store.read("one")).toEqual(login);
  expect(new Map(await store.list())).toEqual(
    new Map([
      ["one", login],
      ["two", { ...login, tokens: null }],
    ]),
  );
  await store.write("one", null);
  await store.write("one", null);
  expect((await store.list()).map(([key]) => key)).toEqual(["two"]);
});

test.each(stores)("work on one login %s is done by one at a time, after a failure too", async (_, make) => {
  const store = make();
  const order: string[] = [];
  let finish = () => {};
  const first = store.exclusive("k", never, async () => {
    order.push("first begins");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    order.push("first ends");
    throw new Error("first");
  });
  const second = store.exclusive("k", never, async () => void order.push("second"));
  const other = store.exclusive("other", never, async () => void order.push("other"));
  const abort = new AbortController();
  const given = store.exclusive("k", abort.signal, async () => void order.push("never"));
  given.catch(() => {});
  await other;
  abort.abort(new Error("given up"));
  finish();
  await expect(first).rejects.toThrow("first");
  await second;
  await expect(given).rejects.toThrow("given up");
  expect(order).toEqual(["first begins", "other", "first ends", "second"]);
});

test("a folder of logins that cannot be read is told, one that is not there holds none", async () => {
  const path = join(folder(), "..", "in-its-place");
  expect(await createTokenFiles(path, systemClock).list()).toEqual([]);
  writeFileSync(path, "a file in its place");
  await expect(createTokenFiles(path, systemClock).list()).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining("The logins cannot be listed in"),
  });
});

test("what is damaged, foreign or renamed is no login", async () => {
  const path = folder();
  const store = createTokenFiles(path, systemClock);
  await store.write("one", login);
  const [name = ""] = readdirSync(path);
  writeFileSync(join(path, `${"0".repeat(64)}.json`), JSON.stringify({ key: "one", ...login }));
  writeFileSync(join(path, "notes.txt"), "x");
  expect((await store.list()).length).toBe(1);
  writeFileSync(join(path, name), '{"version":1');
  expect(await store.read("one")).toBeNull();
  expect(await store.list()).toEqual([]);
});

test("any JSON is a login with every member as it should be, or none", () => {
  const members = Object.keys(login) as (keyof StoredLogin)[];
  fc.assert(
    fc.property(fc.constantFrom(...members), fc.jsonValue(), (member, value) => {
      const parsed = parseLogin(JSON.stringify({ ...login, [member]: value }));
      if (parsed === null) return;
      expect(typeof parsed.issuer).toBe("string");
      expect(parsed.tokens === null || typeof parsed.tokens.access === "string").toBe(true);
      expect(typeof parsed.client.id).toBe("string");
    }),
    { numRuns: 200 },
  );
  expect(parseLogin(JSON.stringify(login))).toEqual(login);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseLogin(text)).toBeNull();
    }),
    { numRuns: 50 },
  );
});
