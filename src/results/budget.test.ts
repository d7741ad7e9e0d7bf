import fc from "fast-check";
import { expect, test } from "vitest";
import { png } from "../../test/support/images.ts";
import { answered, catalogTool, mapOne, mapTurn, memorySpill, textsOf } from "../../test/support/results.ts";
import type { Json } from "../types/json.ts";
import type { ToolResultBlock } from "../types/message.ts";
import type { ServerBlock } from "../types/outcome.ts";
import { cutJson } from "./cut-json.ts";
import { share } from "./share.ts";

const text = (value: string): ServerBlock => ({ type: "text", text: value });
const bytesOf = (block: ToolResultBlock) => Buffer.byteLength(textsOf(block).join(""));
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a long text is cut to head and tail and says where the whole is", async () => {
  const spill = memorySpill();
  const full = lines(20_000);
  const block = await mapOne(answered({ content: [text(full)] }), { spill });
  const [cut = "", note] = textsOf(block);
  expect(cut.startsWith("line 1\nline 2\n")).toBe(true);
  expect(cut.endsWith("line 19999\nline 20000")).toBe(true);
  const [, head, missing, tail] =
    /^([\s\S]*)\[… ([\d,]+) bytes, [\d,]+ lines left out …\]\n([\s\S]*)$/.exec(cut) ?? [];
  expect(full.startsWith(head ?? "?") && full.endsWith(tail ?? "?")).toBe(true);
  expect(Number(missing?.replaceAll(",", ""))).toBe(full.length - `${head}${tail}`.length);
  const next = (head ?? "").split("\n").length;
  expect(note).toBe(
    `Full output (208,893 bytes, 20,000 lines) kept: read it with drawbridge__read_output {"id":"s1","offset":${next}}`,
  );
  expect(spill.kept.get("r/s1")).toBe(full);
  expect(bytesOf(block)).toBeLessThanOrEqual(40_000);
});

test("what is kept and cut is counted in bytes", async () => {
  const full = "ж".repeat(50_000);
  const { results } = await mapTurn([
    answered({ content: [text(full)] }),
    answered({ content: [text("ж")] }),
  ]);
  const [long, short] = results;
  expect(long?.keptBytes).toBe(long && bytesOf(long.block));
  expect((long?.cutBytes ?? 0) > 60_000).toBe(true);
  expect(short).toMatchObject({ keptBytes: 2, cutBytes: 0 });
});

test("a turn shares its budget: small results stay whole, large ones get the same", async () => {
  const big = text("x".repeat(100_000));
  const settled = ["a", "b", "c", "d", "e", "f"].map((id) => answered({ content: [big] }, catalogTool(), id));
  const { results } = await mapTurn([...settled, answered({ content: [text("small")] }, catalogTool(), "g")]);
  const sizes = results.map(({ block }) => bytesOf(block));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(160_000);
  expect(Math.min(...sizes.slice(0, 6))).toBeGreaterThan(25_000);
  expect(results[6]?.block.content).toEqual([{ type: "text", text: "small" }]);
});

test("a cut array stays JSON and says how many items are missing", async () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const [cut = ""] = textsOf(
    await mapOne(answered({ content: [text(JSON.stringify({ total: 5_000, rows }))] })),
  );
  const parsed = JSON.parse(cut) as { total: number; rows: unknown[] };
  const shown = parsed.rows.length - 1;
  expect(parsed.total).toBe(5_000);
  expect(parsed.rows.slice(0, shown)).toEqual(rows.slice(0, shown));
  expect(parsed.rows[shown]).toBe(`… ${(5_000 - shown).toLocaleString("en-US")} more items`);
});

test("a store that fails costs the rest of the output, not the result", async () => {
  const spill = { ...memorySpill(), put: () => Promise.reject(new Error("disk full")) };
  const block = await mapOne(answered({ content: [text("x".repeat(100_000))] }), { spill });
  expect(block.isError).toBe(false);
  expect(textsOf(block)[1]).toBe(
    "Full output (100,000 bytes, 50 lines) could not be kept: call the tool again for a smaller part",
  );
});

test("many texts that do not fit are cut as one, within the budget", async () => {
  const content = Array.from({ length: 30 }, (_, index) => text(`part ${index} ${"x".repeat(500)}`));
  const limits = { outputTokensPerResult: 300, outputTokensPerTurn: 300 };
  const block = await mapOne(answered({ content }), { limits });
  expect(bytesOf(block)).toBeLessThanOrEqual(1_200);
  expect(textsOf(block).length).toBe(2);
});

test("pictures over the budget become a line, and the text beside them stays", async () => {
  const image: ServerBlock = {
    type: "image",
    data: png(1500, 1500).toString("base64"),
    mimeType: "image/png",
  };
  const content = [text("three pictures"), image, image, image, image];
  const block = await mapOne(answered({ content }));
  expect(block.content.map((one) => one.type)).toEqual(["text", "image", "image", "image", "text"]);
  expect(textsOf(block)[0]).toBe("three pictures");
  expect(textsOf(block)[1]).toMatch(
    /^\[Image left out, over the output budget: image\/png, 1500x1500 pixels/,
  );
});

test("a share is never more than the wish, the total is kept, and equal wishes get the same", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 12 }), fc.nat(5_000), (wanted, total) => {
      const granted = share(wanted, total);
      expect(granted.every((got, index) => got <= (wanted[index] ?? 0))).toBe(true);
      const sum = (all: number[]) => all.reduce((one, other) => one + other, 0);
      expect(sum(granted)).toBeLessThanOrEqual(total);
      if (sum(wanted) <= total) expect(granted).toEqual(wanted);
      else expect(sum(granted)).toBeGreaterThan(total - wanted.length - 1);
    }),
  );
});

test("cut JSON is valid and within its bytes, whatever the value is", () => {
  const value = fc.oneof(
    fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 4, maxLength: 60 }),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 3, maxKeys: 60 }),
  ) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(value, fc.integer({ min: 100, max: 2_000 }), (given, bytes) => {
      const cut = cutJson(JSON.stringify(given), bytes);
      if (cut === null) return;
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      expect(Array.isArray(JSON.parse(cut))).toBe(Array.isArray(given));
    }),
    { numRuns: 300 },
  );
});

test("no cut splits a character, and every result keeps within its budget", async () => {
  const unit = fc.constantFrom("a", "é", "漢", "🎉", "\n", "0123456789".repeat(9));
  await fc.assert(
    fc.asyncProperty(
      fc.array(unit, { minLength: 200, maxLength: 2_000 }),
      fc.integer({ min: 150, max: 600 }),
      async (units, tokens) => {
        const spill = memorySpill();
        const full = units.join("");
        const limits = { outputTokensPerResult: tokens, outputTokensPerTurn: tokens };
        const block = await mapOne(answered({ content: [text(full)] }), { spill, limits });
        expect(bytesOf(block)).toBeLessThanOrEqual(tokens * 4);
        expect(textsOf(block).every((one) => one.isWellFormed())).toBe(true);
        for (const kept of spill.kept.values()) expect(kept).toBe(full);
      },
    ),
    { numRuns: 100 },
  );
});
