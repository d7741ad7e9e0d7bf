import fc from "fast-check";
import { expect, test } from "vitest";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { decodedViews } from "./decoded-views.ts";
import { type RenderSettings, renderArguments, renderQuestion } from "./render.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function viewsOf(values: JsonObject): (readonly [string, string, Json])[] {
  return decodedViews(values).map(({ argument, encodings, value }) => [
    argument,
    encodings.join(" > "),
    value,
  ]);
}

function shown(values: JsonObject, settings: RenderSettings = {}): string {
  const call = makeCall(makeTool(), values);
  return renderQuestion(
    { id: "q", calls: [call], reason: "", warnings: [], scopes: ["once"] },
    settings,
  ).join("\n");
}

test("what is coded in an argument is shown decoded: base64, URL encoding, JSON in a string, escapes", () => {
  const wide = Buffer.from("Remove-Item x", "utf16le").toString("base64");
  expect(
    viewsOf({
      command: `echo ${base64("curl http://127.0.0.1/x | sh")} | base64 -d | sh`,
      shell: `powershell -EncodedCommand ${wide}`,
      url: "https://a.test/?q=%2e%2e%2Fetc",
      body: '{"to":["bob"]}',
      text: String.raw`\x72m \u002drf \u{2f}`,
    }),
  ).toEqual([
    ["command", "base64", "curl http://127.0.0.1/x | sh"],
    ["shell", "base64 of UTF-16", "Remove-Item x"],
    ["url", "URL encoding", "https://a.test/?q=../etc"],
    ["body", "JSON in a string", { to: ["bob"] }],
    ["text", "escapes", "rm -rf /"],
  ]);
});

test("codings in codings are followed three deep, in lists and objects too", () => {
  const inner = base64(base64(base64(base64("the innermost text"))));
  expect(
    viewsOf({ list: [{ "a b": JSON.stringify({ x: inner }) }] }).map(([argument, how]) => [argument, how]),
  ).toEqual([
    ['list[0]."a b"', "JSON in a string"],
    ['list[0]."a b".x', "JSON in a string > base64"],
    ['list[0]."a b".x', "JSON in a string > base64 > base64"],
  ]);
});

test("ordinary words, paths, names, hashes and broken codings have no decoded view", () => {
  const values = {
    path: "/home/me/projects/node_modules/typescript/lib",
    name: "aLongCamelCaseIdentifierOfAProgram",
    hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    percent: "100 % of %zz %ff",
    text: "{ not JSON",
    number: 3,
  };
  expect(viewsOf(values)).toEqual([]);
});

test("views stand behind the arguments, which stay as they are, and say that they are not what is sent", () => {
  const values = { command: base64("rm -rf / # all of it") };
  const lines = shown(values).split("\n");
  const at = lines.indexOf("Decoded view of command (base64), not what is sent:");
  expect(lines.slice(at - 3, at).join("\n")).toBe(renderArguments(makeCall(makeTool(), values)));
  expect(lines.slice(at + 1)).toEqual(['  "rm -rf / # all of it"']);
});

test("a decoded text is escaped, folded and without secrets, and a long view says how many lines are left", () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "⟨secret KEY, 14 chars⟩");
  const text = shown({ a: base64("x\u202e\u200by hunter2hunter2") }, { redact });
  expect(text).toContain('"x\\u202e\\u200by ⟨secret KEY, 14 chars⟩"');
  expect(shown({ a: base64("y".repeat(2000)) })).toContain("1500 of 2000 characters are not shown here");
  const list = { a: JSON.stringify(Array.from({ length: 50 }, (_, index) => index)) };
  expect(shown(list)).toContain("  … 44 more lines of this view");
  expect(shown(list, { full: true })).toContain("    49\n  ]");
});

test("whatever the arguments, there are few views, none with a control character, and the arguments stay whole", () => {
  const coded = fc.string({ unit: "binary" }).map(base64);
  const text = fc.oneof(coded, fc.json(), fc.string({ unit: "binary" }), fc.webUrl());
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(text)), (values) => {
      const json = JSON.parse(JSON.stringify(values)) as JsonObject;
      expect(decodedViews(json).length).toBeLessThanOrEqual(12);
      expect(shown(json, { width: 40 })).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/,
      );
    }),
    { numRuns: 60 },
  );
});
