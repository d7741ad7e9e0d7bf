import { expect, test } from "vitest";
import { objectJson } from "./json-bytes.ts";

test("arguments go back as they were written when every parser reads them", () => {
  for (const text of [
    "{}",
    ' {"a": 1.0, "a": [1e5, {"b": null}]}',
    `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
  ]) {
    expect(objectJson(text)).toBe(text);
  }
});

test("arguments that a stricter parser refuses go back as none: the API would refuse every later request", () => {
  const deep = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;
  for (const text of ["", "[]", "null", '{"a":', '{"a":1e999}', '{"a":[{"b":-1e400}]}', deep]) {
    expect(objectJson(text), text.slice(0, 30)).toBe("{}");
  }
});
