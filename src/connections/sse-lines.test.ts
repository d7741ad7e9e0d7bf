import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineEnds } from "./sse-lines.ts";

/** The text in pieces that end where `cuts` say. */
function pieces(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...ends];
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

test("lines end with line feeds, however they ended and wherever the stream was cut", () => {
  const text = fc.array(fc.constantFrom("\r", "\n", "\r\n", "data: é", "x"), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 5 }), (parts, cuts) => {
      const written = parts.join("");
      const toLines = createLineEnds();
      const read = Buffer.concat(pieces(written, cuts).map((piece) => toLines(piece))).toString();
      expect(read).toBe(written.replace(/\r\n?/g, "\n"));
    }),
  );
});

test("a chunk without a carriage return is passed on as it is", () => {
  const chunk = new TextEncoder().encode("data: 1\n\n");
  expect(createLineEnds()(chunk)).toBe(chunk);
});
