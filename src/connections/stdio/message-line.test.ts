import { expect, test } from "vitest";
import { parseMessageLine } from "./message-line.ts";

test("a line with a message, blanks and a byte order mark before it, is read", () => {
  const message = { jsonrpc: "2.0", method: "ping" };
  expect(parseMessageLine(`\ufeff \t${JSON.stringify(message)}\r`)).toEqual([message]);
  expect(parseMessageLine(` [${JSON.stringify(message)}]`)).toEqual([message]);
});

test("of a batch what is a message is read", () => {
  expect(parseMessageLine('[1,{"id":1},null,{"id":2}]')).toEqual([{ id: 1 }, { id: 2 }]);
});

test("a blank line holds nothing, and any other text is no message", () => {
  expect([parseMessageLine(""), parseMessageLine(" \r")]).toEqual([[], []]);
  for (const line of ["hello", "{", "[]", "[1]", "null", '"{}"', "{}", "1"])
    expect(parseMessageLine(line)).toBeNull();
});
