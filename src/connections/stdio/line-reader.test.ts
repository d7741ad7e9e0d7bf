import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";
import { createSkippedLines, parseMessageLine } from "./message-line.ts";

type Read = string | { readonly bytes: number; readonly id: unknown };

function read(bytes: Buffer, pieces: readonly number[], limit: number): Read[] {
  const lines: Read[] = [];
  const reader = createLineReader(limit, {
    line: (text) => lines.push(text),
    oversize: ({ bytes: length, id }) => lines.push({ bytes: length, id }),
  });
  let from = 0;
  for (let index = 0; from < bytes.length; index++) {
    const length = pieces.length === 0 ? bytes.length : (pieces[index % pieces.length] ?? 1);
    reader.push(bytes.subarray(from, from + length));
    from += length;
  }
  reader.end();
  return lines;
}

function byLine(line: string, limit: number): Read {
  const bytes = Buffer.byteLength(line);
  if (bytes <= limit) return line;
  return { bytes, id: (JSON.parse(line) as { id: unknown }).id };
}

const line = fc
  .tuple(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("ก้", "🙂\u2028", "\r", "")),
    fc.nat(80),
    fc.nat(),
  )
  .map(([text, times, id]) => JSON.stringify({ result: { text: text.repeat(times) }, jsonrpc: "2.0", id }));
const pieces = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
  fc.constant([]),
);

test("lines are the same however the bytes are cut, and the limit counts bytes of the line", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      pieces,
      fc.integer({ min: 50, max: 400 }),
      fc.boolean(),
      (lines, cut, limit, ended) => {
        const bytes = Buffer.from(lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));
        expect(read(bytes, cut, limit)).toEqual(lines.map((text) => byLine(text, limit)));
      },
    ),
    { numRuns: 300 },
  );
});

test("a line of exactly the limit is kept, one byte more is not", () => {
  expect(read(Buffer.from("12345\n123456\n"), [2], 5)).toEqual(["12345", { bytes: 6, id: undefined }]);
});

test("a long line that comes in single bytes is whole", () => {
  const text = "x".repeat(300_000);
  expect(read(Buffer.from(`${text}\n`), [1], 1_000_000)).toEqual([text]);
});

test("what is no message is told from a blank line and from a batch", () => {
  expect(parseMessageLine(' {"jsonrpc":"2.0","id":1,"result":{}}\r')).toHaveLength(1);
  expect(parseMessageLine('\ufeff{"id":1,"result":{}}')).toHaveLength(1);
  expect(parseMessageLine('[{"id":1},{"method":"x"}]')).toHaveLength(2);
  for (const blank of ["", "\r", " \t", "\ufeff"]) expect(parseMessageLine(blank)).toEqual([]);
  for (const other of [
    "[info] ready",
    "[]",
    "[1]",
    "7",
    "null",
    '{"level":30}',
    '{"id":1',
    '{"__proto__":{"id":1}}',
  ]) {
    expect(parseMessageLine(other)).toBeNull();
  }
});

test("skipped lines are all counted, and few are kept, shortened", () => {
  const skipped = createSkippedLines((text) => text.replaceAll("hunter2hunter2", "(secret)"));
  for (let index = 0; index < 1000; index++)
    skipped.add(`${"x".repeat(190)}hunter2hunter2${"x".repeat(5000)}`);
  expect(skipped.count()).toBe(1000);
  expect(skipped.samples()).toEqual(Array(5).fill(`${"x".repeat(190)}(secret)xx`));
});
