import fc from "fast-check";
import { expect, test } from "vitest";
import { createSseParser, type ServerSentEvent } from "./sse.ts";

function parse(...pieces: string[]): ServerSentEvent[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

test("events are told apart by empty lines, with every kind of line ending", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = [
      "event: one",
      "data: 1",
      "",
      ": a comment",
      "data:2",
      "data: 3",
      "id: x",
      "",
      "",
      "event: none",
      "",
      "",
    ].join(end);
    expect(parse(text, "\n")).toEqual([
      { event: "one", data: "1" },
      { event: "message", data: "2\n3" },
    ]);
  }
});

test("the last event is complete at its empty line, whatever ends that line and however it is cut", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const stream = `data: 1${end}${end}data: 2${end}${end}`;
    for (const pieces of [[stream], [...stream]]) {
      expect(parse(...pieces).map(({ data }) => data)).toEqual(["1", "2"]);
    }
  }
});

test("an event that is not complete is held back", () => {
  expect(parse("data: 1\n")).toEqual([]);
  expect(parse("data: 1\n", "\n")).toEqual([{ event: "message", data: "1" }]);
});

test("however the text is cut into pieces, the events are the same", () => {
  const line = fc.constantFrom("data: a", "data:b", "event: e", ":c", "data", "x: y", "", "");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 12 }),
      fc.array(fc.nat(60), { maxLength: 8 }),
      (lines, cuts) => {
        const text = `${lines.map((parts) => parts.join("")).join("")}data: last\n\n`;
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(parse(...pieces)).toEqual(parse(text));
      },
    ),
    { numRuns: 500 },
  );
});
