import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readLinesBackward } from "./read-lines-backward.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function linesOf(content: string | Uint8Array): Promise<string[]> {
  const path = join(folder, "log");
  writeFileSync(path, content);
  const lines: string[] = [];
  for await (const line of readLinesBackward(path)) lines.push(line);
  return lines;
}

test("whole lines come from the last to the first, whatever their length; a torn last line does not", async () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", "")),
    fc.integer({ min: 60_000, max: 140_000 }).map((length) => "ä".repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), line, async (lines, torn) => {
      const content = `${lines.map((text) => `${text}\n`).join("")}${torn}`;
      expect(await linesOf(content)).toEqual([...lines].reverse());
    }),
    { numRuns: 60 },
  );
});

test("a line that is no text is passed over", async () => {
  const bytes = Buffer.concat([Buffer.from("one\n"), Buffer.from([0xff, 0xfe, 10]), Buffer.from("two\n")]);
  expect(await linesOf(bytes)).toEqual(["two", "one"]);
});
