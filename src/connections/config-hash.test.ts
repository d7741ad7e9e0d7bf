import { expect, test } from "vitest";
import { configHash } from "./config-hash.ts";

const key = new Uint8Array(32);
const base = { command: "node", args: ["a.js"], env: { TOKEN: "s3cret-value" } };

test("everything that makes a server another one changes its hash", () => {
  const variants = [
    base,
    { ...base, command: "deno" },
    { ...base, args: ["b.js"] },
    { ...base, cwd: "/" },
    { ...base, env: { TOKEN: "other-value" } },
    { ...base, env: { OTHER: "s3cret-value" } },
    { url: "https://a.test/mcp" },
    { url: "https://b.test/mcp" },
    { url: "https://a.test/mcp", headers: { "X-Key": "1" } },
  ];
  expect(new Set(variants.map((config) => configHash("s", config, key))).size).toBe(variants.length);
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
