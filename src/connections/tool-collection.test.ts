import fc from "fast-check";
import { expect, test } from "vitest";
import { ingestTool } from "./ingest-tools.ts";
import { jsonSize } from "./json-size.ts";
import { createPagingSink } from "./paging.ts";
import { createToolCollection } from "./tool-collection.ts";

const named = (name: string, description = "") => ({ name, description, inputSchema: { type: "object" } });
const bounds = { tools: 3, bytes: 10_000, reasons: 2 };

test("a list with too many tools keeps the first ones, says how many more there are, and is not read on", () => {
  const sink = createPagingSink("s", false, bounds);
  expect(sink.page({ tools: [named("a"), named("b")], nextCursor: "2" })).toHaveProperty("nextCursor", "2");
  const page = sink.page({ tools: [named("c"), named("d"), named("e")], nextCursor: "3" });
  expect(page).not.toHaveProperty("nextCursor");
  const { tools, quarantined } = sink.result();
  expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(quarantined).toEqual([
    {
      server: "s",
      tool: "(2 more tools)",
      reason: "The list is too long: at most 3 tools of a server are kept.",
    },
  ]);
});

test("a list of too many pages, or that leads back to one, is cut, and that is told", () => {
  const long = createPagingSink("s", false);
  let page = 1;
  while ("nextCursor" in long.page({ tools: [named(`t${page}`)], nextCursor: String(page) })) page += 1;
  expect(page).toBe(64);
  const { tools, quarantined } = long.result();
  expect(tools).toHaveLength(64);
  const rest = { server: "s", tool: "(the rest of the list)" };
  expect(quarantined).toEqual([{ ...rest, reason: "At most 64 pages are read." }]);
  const circle = createPagingSink("s", false);
  circle.page({ tools: [named("a")], nextCursor: "again" });
  expect(circle.page({ tools: [named("a")], nextCursor: "again" })).not.toHaveProperty("nextCursor");
  expect(circle.result().quarantined).toEqual([{ ...rest, reason: "The server goes round in a circle." }]);
  const whole = createPagingSink("s", false);
  for (page = 1; page <= 64; page++)
    whole.page({ tools: [], ...(page < 64 ? { nextCursor: `${page}` } : {}) });
  expect(whole.result().quarantined).toEqual([]);
});

test("tools whose definitions are too large together are left out", () => {
  const collected = createToolCollection("s", false, bounds);
  for (const name of ["a", "b"]) collected.add(named(name, "x".repeat(6_000)));
  const { tools, quarantined } = collected.result();
  expect(tools.map(({ name }) => name)).toEqual(["a"]);
  expect(quarantined[0]?.reason).toContain("at most 10000 bytes of definitions");
  expect(collected.isFull()).toBe(true);
});

test("reasons are kept for some tools, and the others counted", () => {
  const collected = createToolCollection("s", false, bounds);
  for (let number = 0; number < 10; number++) collected.add({ name: "" });
  collected.add(named("good"));
  const { tools, quarantined } = collected.result();
  expect(tools).toHaveLength(1);
  expect(quarantined.map(({ tool }) => tool)).toEqual([
    "(tool 1, without a name)",
    "(tool 2, without a name)",
    "(8 more kept back)",
  ]);
});

test("a definition with a text or a whole that is too large keeps its tool from the model", () => {
  const reason = (more: object) => {
    const ingested = ingestTool({ ...named("t"), ...more }, 0);
    return ingested.type === "tool" ? null : ingested.reason;
  };
  expect(reason({ description: "x".repeat(65_536) })).toBe(null);
  expect(reason({ description: "x".repeat(65_537) })).toBe(
    "Its description has 65537 characters; at most 65536 are read.",
  );
  expect(reason({ title: "x".repeat(1_001) })).toBe("Its title has 1001 characters; at most 1000 are read.");
  expect(reason({ outputSchema: { enum: Array(40_000).fill("0123456789") } })).toBe(
    "Its definition is larger than 524288 bytes.",
  );
});

test("the size of any value is about that of its text, and a large one is not looked at whole", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value).length;
      const size = jsonSize(value, Number.POSITIVE_INFINITY);
      // Escapes and numbers are longer as text, members shorter.
      expect(size).toBeGreaterThanOrEqual(text / 6);
      expect(size).toBeLessThanOrEqual(text * 6 + 6);
    }),
    { numRuns: 100 },
  );
  let looked = 0;
  const watched = Array.from({ length: 1_000 }, () => ({
    get member() {
      looked += 1;
      return "x".repeat(100);
    },
  }));
  expect(jsonSize(watched, 5_000)).toBeGreaterThan(5_000);
  expect(looked).toBeLessThan(200);
});
