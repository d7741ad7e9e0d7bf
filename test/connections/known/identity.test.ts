import fc from "fast-check";
import { expect, test } from "vitest";
import { createKnownTools } from "../../../src/connections/known-tools.ts";
import type { ServerConfig } from "../../../src/types/config.ts";
import type { Json } from "../../../src/types/json.ts";
import type { KnownLists } from "../../../src/types/known-lists.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { memoryLists } from "../../fixtures/connections/connect.ts";

const read = {
  tools: [{ name: "t", description: "", inputSchema: { type: "object" }, annotations: {} }],
  quarantined: [],
  ttlMs: 0,
  isPublic: false,
  isModern: false,
};

interface Who {
  readonly version?: string;
  readonly principal?: string | null;
}

function memoryOf(lists: KnownLists, config: ServerConfig, { version = "1", principal = null }: Who = {}) {
  return createKnownTools(
    { id: "s", config, trusted: false },
    {
      ...{ lists, clock: systemClock, version, principal },
      configHash: async () => "hash",
      hashKey: async () => new Uint8Array(32),
    },
  );
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function keyOf(config: ServerConfig, who: Who = {}): Promise<string | undefined> {
  const lists = memoryLists();
  memoryOf(lists, config, who)?.keep(read, {});
  await settled();
  return [...lists.values.keys()][0];
}

const url = "http://a.test/mcp";

test("what a list may depend on makes it another memory: credentials, principal, protocol, version of the host", async () => {
  const keys = await Promise.all([
    keyOf({ url }),
    keyOf({ url, headers: { authorization: "Bearer one" } }),
    keyOf({ url, headers: { authorization: "Bearer two" } }),
    keyOf({ url, auth: { clientId: "a" } }),
    keyOf({ url, protocol: "legacy" }),
    keyOf({ url }, { principal: "ada" }),
    keyOf({ url }, { principal: "bob" }),
    keyOf({ url }, { version: "2" }),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.every((key) => /^[0-9a-f]{64}$/.test(key ?? ""))).toBe(true);
});

test("a server behind a transport of the program's own is never remembered", () => {
  const transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  expect(memoryOf(memoryLists(), { transport })).toBeNull();
});

test("a list that is there already is not written again while half of its time is left", async () => {
  const lists = memoryLists();
  const memory = memoryOf(lists, { command: "x" });
  memory?.keep(read, {});
  await settled();
  const [key = ""] = lists.values.keys();
  lists.values.delete(key);
  memory?.keep(read, {});
  await settled();
  expect(lists.values.size).toBe(0);
  memory?.keep({ ...read, tools: [] }, {});
  await settled();
  expect(lists.values.size).toBe(1);
});

const plausible = fc.record(
  {
    v: fc.constantFrom<Json>(1, 2, "1"),
    at: fc.constantFrom<Json>(0, -1, Number.MAX_SAFE_INTEGER, "0"),
    until: fc.constantFrom<Json>(Number.MAX_SAFE_INTEGER, 7 * 24 * 3_600_000, null),
    tools: fc.oneof(fc.jsonValue(), fc.array(fc.record({ name: fc.string(), inputSchema: fc.jsonValue() }))),
    quarantined: fc.oneof(fc.jsonValue(), fc.constant([])),
    discover: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test("whatever stands in the memory, it is either a list of tools or nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), plausible), async (stored) => {
      const lists: KnownLists = { read: async () => stored as Json, write() {} };
      const known = await memoryOf(lists, { command: "x" })?.recall();
      for (const tool of known?.tools ?? []) {
        expect(tool).toMatchObject({ name: expect.any(String), inputSchema: { type: "object" } });
      }
    }),
    { numRuns: 200 },
  );
});

test("a memory that cannot be read is none", async () => {
  const lists: KnownLists = { read: () => Promise.reject(new Error("disk")), write() {} };
  expect(await memoryOf(lists, { command: "x" })?.recall()).toBeNull();
});
