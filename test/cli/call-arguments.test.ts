import fc from "fast-check";
import { expect, test } from "vitest";
import { checkKeys, readArguments } from "../../src/cli/commands/call/arguments.ts";
import type { JsonObject } from "../../src/types/json.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { type: "number" },
    on: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    sizes: { anyOf: [{ type: "array", items: { $ref: "#/$defs/size" } }, { type: "null" }] },
    maybe: { type: ["number", "string"] },
    level: { enum: [1, 2, "high"] },
    filter: { type: "object" },
    anything: {},
    loop: { $ref: "#/$defs/loop" },
  },
  required: ["text"],
  $defs: { size: { type: "integer" }, loop: { $ref: "#/$defs/loop" } },
};

const files: Readonly<Record<string, string>> = { "a.txt": "from a file" };
const readText = async (path: string) => files[path] ?? "";
const read = (...words: string[]) => readArguments(words, schema, readText);

test.each<[string[], object]>([
  [["text=12"], { text: "12" }],
  [["text=a=b"], { text: "a=b" }],
  [["text="], { text: "" }],
  [["text=@a.txt"], { text: "from a file" }],
  [['text:="@a.txt"'], { text: "@a.txt" }],
  [["count=12", "ratio=1e3", "on=true"], { count: 12, ratio: 1000, on: true }],
  [["names=a"], { names: ["a"] }],
  [["names=a", "names=b"], { names: ["a", "b"] }],
  [['names=["a","b"]'], { names: ["a", "b"] }],
  [["sizes=1", "sizes=2"], { sizes: [1, 2] }],
  [["maybe=5", "level=2"], { maybe: 5, level: 2 }],
  [["maybe=five", "level=high"], { maybe: "five", level: "high" }],
  [['filter={"a":1}'], { filter: { a: 1 } }],
  [["anything=5", "loop=x"], { anything: "5", loop: "x" }],
  [["anything:=[5]"], { anything: [5] }],
  [["other=1"], { other: "1" }],
  [['{"text":"x","count":1}'], { text: "x", count: 1 }],
  [[], {}],
])("%j are the arguments %j", async (words, expected) => {
  expect(await read(...words)).toEqual(expected);
});

test.each<[string[], RegExp]>([
  [["count=1.5"], /count takes integer, not "1.5"/],
  [["on=yes"], /on takes boolean/],
  [["text=a", "text=b"], /text is given 2 times/],
  [["text:=1", "text:=2"], /given twice/],
  [["sizes=1", "sizes=x"], /sizes takes integer, not "x"/],
  [["text:={"], /text:= is no JSON/],
  [["text"], /"text" is no argument/],
  [["=x"], /no argument/],
  [["{}", "text=a"], /leave the other words out/],
  [["{text}"], /no JSON object/],
])("%j are refused", async (words, problem) => {
  await expect(read(...words)).rejects.toThrow(problem);
});

test("a key named __proto__ is an argument like any other", async () => {
  const args = await read("__proto__:=1");
  expect(Object.keys(args)).toEqual(["__proto__"]);
});

test("whatever is typed becomes JSON or is refused in one sentence", async () => {
  const key = fc.constantFrom("text", "count", "on", "names", "sizes", "loop", "__proto__", "x");
  const word = fc.tuple(key, fc.constantFrom("=", ":="), fc.string()).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(word, fc.string()), { maxLength: 4 }), async (words) => {
      const args = await read(...words).catch((error: Error) => error);
      if (args instanceof Error) expect(args).toMatchObject({ code: "config_invalid" });
      else expect(JSON.parse(JSON.stringify(args))).toEqual(args);
    }),
    { numRuns: 200 },
  );
});

test("a key that the tool does not have is a slip when one is near or nothing else is allowed", () => {
  expect(() => checkKeys("t", { txt: "", text: "x" }, schema)).not.toThrow();
  expect(() => checkKeys("t", { txet: "" }, schema)).toThrow(/no argument "txet".*Did you mean "text"\?/);
  const closed = { ...schema, additionalProperties: false };
  expect(() => checkKeys("t", { text: "x", zebra: 1 }, closed)).toThrow(/no argument "zebra"/);
  expect(checkKeys("t", { text: "x", zebra: 1 }, schema)).toEqual([expect.stringContaining("zebra")]);
});

test("every required key that is missing is named with its type", () => {
  const needs = { ...schema, required: ["text", "count", "names"] };
  expect(() => checkKeys("t", { count: 1 }, needs)).toThrow(/needs text \(string\), names \(array\)/);
});
