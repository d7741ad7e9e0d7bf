import { expect, test } from "vitest";
import { createTokenMemory } from "../stores/token-memory.ts";
import { fakeServer } from "../testing/index.ts";
import type { StoredLogin } from "../types/auth.ts";
import type { ServerConfig } from "../types/config.ts";
import { watchLogins } from "./login-watch.ts";
import { createPrivacy } from "./server-privacy.ts";

function privacyOf(config: ServerConfig, hasLogin = false) {
  return createPrivacy([["s", config]], () => hasLogin)("s");
}

test("a program and a transport of the program itself are local, an address is not", () => {
  expect(privacyOf({ command: "x" }).local).toBe(true);
  expect(privacyOf(fakeServer([]).config).local).toBe(true);
  expect(privacyOf({ url: "https://x.example/mcp" }).local).toBe(false);
  expect(createPrivacy([], () => false)("unknown")).toEqual({
    stated: null,
    credentials: false,
    local: true,
  });
});

test("a server holds credentials in its environment, its headers, its URL, by its auth, or after a login", () => {
  const url = "https://x.example/mcp";
  const holds = (config: ServerConfig, hasLogin = false) => privacyOf(config, hasLogin).credentials;
  expect(holds({ command: "x" })).toBe(false);
  expect(holds({ command: "x", env: { TOKEN: "abc" } })).toBe(true);
  expect(holds({ url })).toBe(false);
  expect(holds({ url, headers: { Authorization: "Bearer abc" } })).toBe(true);
  expect(holds({ url: `${url}?key=abc` })).toBe(true);
  expect(holds({ url, auth: { clientId: "me" } })).toBe(true);
  expect(holds({ url }, true)).toBe(true);
  expect(privacyOf({ url, private: false }, true).stated).toBe(false);
});

test("a login that this process used or made is known at its server, and no other", async () => {
  const login = { issuer: "https://i.example" } as unknown as StoredLogin;
  const config = { url: "https://x.example/mcp" };
  const other = { url: "https://y.example/mcp" };
  const { store, hasLogin } = watchLogins({ ...createTokenMemory(), read: async () => login }, "me");
  expect([config, other, { command: "x" }].map(hasLogin)).toEqual([false, false, false]);
  // The key of a login begins with whose it is and where.
  await store.read(JSON.stringify(["me", config.url, "authorization_code", null, null, null]));
  expect([config, other, { command: "x" }].map(hasLogin)).toEqual([true, false, false]);
  await store.write(JSON.stringify(["you", other.url, "authorization_code", null, null, null]), login);
  expect(hasLogin(other)).toBe(false);
  await store.write(JSON.stringify(["me", other.url, "authorization_code", null, null, null]), null);
  expect(hasLogin(other)).toBe(false);
});
