import { expect, test } from "vitest";
import type { ServerConfig } from "../types/config.ts";
import { configHash } from "./config-hash.ts";

const key = new Uint8Array(32);
const base = { command: "node", args: ["a.js"], env: { TOKEN: "s3cret-value" } };

const http = { url: "https://a.test/mcp", headers: { "X-Key": "1" } };

test.each<[string, ServerConfig, ServerConfig]>([
  ["its command", base, { ...base, command: "deno" }],
  ["its arguments", base, { ...base, args: ["b.js"] }],
  ["the order of its arguments", { ...base, args: ["a", "b"] }, { ...base, args: ["b", "a"] }],
  ["one argument more", base, { ...base, args: ["a.js", ""] }],
  ["its folder", base, { ...base, cwd: "/" }],
  ["the value of a variable", base, { ...base, env: { TOKEN: "other-value" } }],
  ["the name of a variable", base, { ...base, env: { OTHER: "s3cret-value" } }],
  ["a variable more", base, { ...base, env: { ...base.env, NODE_OPTIONS: "" } }],
  ["its kind", base, http],
  ["its address", http, { ...http, url: "https://b.test/mcp" }],
  ["the path of its address", http, { ...http, url: "https://a.test/mcp2" }],
  ["the name of a header", http, { ...http, headers: { "X-Other": "1" } }],
  ["a header more", http, { ...http, headers: { ...http.headers, "X-Other": "1" } }],
  ["its client", http, { ...http, auth: { clientId: "c" } }],
])("%s: another is another server", (_name, one, other) => {
  expect(configHash("s", one, key)).not.toBe(configHash("s", other, key));
});

test("a transport of the program's own is told by its name", () => {
  const transport = { transport: () => ({}) } as unknown as ServerConfig;
  expect(configHash("s", transport, key)).toBe(configHash("s", transport, key));
  expect(configHash("s", transport, key)).not.toBe(configHash("t", transport, key));
});

test("the hash stays what it is from version to version: grants are bound to it", () => {
  expect(configHash("s", { ...base, cwd: "/srv" }, key)).toBe(
    "53243241975348be88166889d1bfc1c7d68e1d0c9a733f3b72f596a0a7a84171",
  );
  expect(configHash("s", http, key)).toBe("82f86ffd00c62b87165f2cb1e5ab09d8a808dd915df776c68bf23ac8d1a0f3d0");
});

test("what does not make it another one does not", () => {
  const hash = configHash("s", base, key);
  expect(configHash("renamed", { ...base, required: false, trust: true, protocol: "legacy" }, key)).toBe(
    hash,
  );
  expect(configHash("s", { ...base, cwd: process.cwd() }, key)).toBe(hash);
  const withHeader = (headers: Record<string, string>) =>
    configHash("s", { url: "https://a.test", headers }, key);
  expect(withHeader({ Authorization: "Bearer old" })).toBe(withHeader({ authorization: "Bearer new" }));
});

test("the hash of an environment is of no use without the key", () => {
  expect(configHash("s", base, key)).not.toBe(configHash("s", base, new Uint8Array(32).fill(1)));
});
