import { expect, test } from "vitest";
import type { JsonObject } from "../../src/types/json.ts";
import type { ServerTool } from "../../src/types/tool.ts";
import { callsOf, question, respond } from "./ask.ts";
import { snapshotOf } from "./servers.ts";
import { echo, readFile, searchCode, sum, text, tool } from "./tools.ts";

/** The arguments of the calls that a question leads to with one tool. */
async function given(asked: string, only: ServerTool): Promise<JsonObject[]> {
  const snapshot = snapshotOf([{ name: "demo", tools: [only] }]);
  return callsOf((await respond([question(asked)], snapshot)).message, snapshot).map((call) => call.given);
}

test.each<[string, ServerTool, JsonObject[]]>([
  ["Find all HACK comments in the code", searchCode, [{ pattern: "HACK" }]],
  [
    "Find all HACK comments in the project in src/server",
    searchCode,
    [{ pattern: "HACK", path: "src/server" }],
  ],
  ["which FIXMEs are left in src?", searchCode, [{ pattern: "FIXME", path: "src" }]],
  ["find TODO and HACK comments", searchCode, [{ pattern: "TODO|FIXME|HACK" }]],
  ["Find TODO/HACK comments", searchCode, [{ pattern: "TODO|HACK" }]],
  ['search the code for "TODO"', searchCode, [{ pattern: "TODO" }]],
  ["where is read_file used?", searchCode, [{ pattern: "read_file" }]],
  ["grep banana in src/fruit", searchCode, [{ pattern: "banana", path: "src/fruit" }]],
  ["search for the word banana in the code", searchCode, [{ pattern: "banana" }]],
  ["search_code pattern=banana path=src", searchCode, [{ pattern: "banana", path: "src" }]],
  ["find all todo comments", searchCode, [{ pattern: "TODO|FIXME" }]],
  ["search_code pattern=x", searchCode, [{ pattern: "x" }]],
  ["find the lines that mention banana in src", searchCode, [{ pattern: "banana", path: "src" }]],
  ["use read_file on b.txt", readFile, [{ path: "b.txt" }]],
  ["read a.txt and b.txt", readFile, [{ path: "a.txt" }, { path: "b.txt" }]],
  ["open 'my notes.md', please", readFile, [{ path: "my notes.md" }]],
  ["read /etc/hosts.", readFile, [{ path: "/etc/hosts" }]],
  ["What is 4 plus 5?", sum, [{ a: 4, b: 5 }]],
  ["add -1.5 and 2", sum, [{ a: -1.5, b: 2 }]],
  ["echo hello world", echo, [{ message: "hello world" }]],
  ['echo it\'s "quoted"', echo, [{ message: "quoted" }]],
])("%s", async (asked, only, expected) => {
  expect(await given(asked, only)).toEqual(expected);
});

test.each<[string, ServerTool]>([
  ["add 1, 2 and 3", sum],
  ["add 1", sum],
  ["add 1 and 99999999999999999999", sum],
  ["search the code", searchCode],
  ["read the file", readFile],
  ["echo", echo],
  ["tell me about bridges", echo],
])("%s: does not say what is needed, so nothing is called", async (asked, only) => {
  expect(await given(asked, only)).toEqual([]);
});

const order = tool(
  "place_order",
  "Orders a drink",
  {
    size: { type: "string", enum: ["small", "large"] },
    cups: { type: "integer", minimum: 1, maximum: 9, description: "Number of cups" },
    withMilk: { type: "boolean" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  ["size"],
);

test.each<[string, JsonObject[]]>([
  ["order a large drink", [{ size: "large" }]],
  ["order a Small drink, 3 cups", [{ size: "small", cups: 3 }]],
  ["order a large drink with milk", [{ size: "large", withMilk: true }]],
  ["order a large drink, 12 cups", [{ size: "large" }]],
  ["order a large or small drink", []],
  ["order a huge drink", []],
])("enums, ranges and flags: %s", async (asked, expected) => {
  expect(await given(asked, order)).toEqual(expected);
});

test("what may change something is not called when a value of the question has no place in it", async () => {
  const make = tool("create_note", "Creates a note", { text }, ["text"], {});
  expect(await given("create a note 'x'", make)).toEqual([{ text: "x" }]);
  expect(await given("create a note 'x' in a.txt", make)).toEqual([]);
});

test("a schema with a keyword that cannot be checked is not filled", async () => {
  const odd = tool("echo", "Echoes", { message: { type: "string", not: { const: "x" } } }, ["message"]);
  expect(await given("echo 'x'", odd)).toEqual([]);
});

test("a command is run as it stands in quotes, and a sentence is not taken for one", async () => {
  const run = tool(
    "run_command",
    "Runs a program",
    { program: text, args: { type: "array", items: text } },
    ["program"],
    { destructiveHint: true },
  );
  expect(await given("run `git log -n 3 --format='%h %s'`", run)).toEqual([
    { program: "git", args: ["log", "-n", "3", "--format='%h", "%s'"] },
  ]);
  expect(await given('run `grep "two words" a.txt`', run)).toEqual([
    { program: "grep", args: ["two words", "a.txt"] },
  ]);
  expect(await given("run npm test", run)).toEqual([{ program: "npm", args: ["test"] }]);
  expect(await given("run the tests in the project", run)).toEqual([]);
});
