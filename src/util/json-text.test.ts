import { expect, test } from "vitest";
import { textOfJson } from "./json-text.ts";

test.each([
  ["text", "text"],
  [1.5, "1.5"],
  [null, "null"],
  [undefined, "undefined"],
  [JSON.parse('{"toString":1,"valueOf":2}'), '{"toString":1,"valueOf":2}'],
  [[{ a: 1 }], '[{"a":1}]'],
])("what stands for a text is read as one, whatever it is: %j", (value, text) => {
  expect(textOfJson(value)).toBe(text);
});
