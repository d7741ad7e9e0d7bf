import { expect, test } from "vitest";
import { makeCall, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { addToGroups, type CallGroup, toQuestion } from "./questions.ts";
import { type RenderSettings, renderArguments, renderQuestion } from "./render.ts";

const argument = (value: Json, settings: RenderSettings = {}) =>
  renderArguments(makeCall(makeTool(), { a: value }), settings)
    .replace(/^\{\n {2}"a": /, "")
    .replace(/\n\}$/, "");

function lines(parts: ToolParts, settings: RenderSettings = {}, values: JsonObject = {}): readonly string[] {
  const call = makeCall(makeTool(parts), values);
  return renderQuestion({ id: "q", calls: [call], reason: "why", warnings: [], scopes: ["once"] }, settings);
}

test("a value stands as JSON of several lines, empty ones on one", () => {
  expect(renderArguments(makeCall(makeTool(), { a: [1, { b: null }], c: {}, d: [], e: true }))).toBe(
    [
      "{",
      '  "a": [',
      "    1,",
      "    {",
      '      "b": null',
      "    }",
      "  ],",
      '  "c": {},',
      '  "d": [],',
      '  "e": true',
      "}",
    ].join("\n"),
  );
  expect(renderArguments(makeCall(makeTool(), {}))).toBe("{}");
});

test("a text of 600 characters is shown whole, and of a longer one its first 400 and last 100", () => {
  expect(argument("x".repeat(600))).toBe(`"${"x".repeat(600)}"`);
  expect(argument("x".repeat(601))).toBe(
    `"${"x".repeat(400)}" … 101 of 601 characters are not shown here … "${"x".repeat(100)}"`,
  );
  expect(argument("é".repeat(601))).toContain(
    " … 101 of 601 characters (1202 bytes in all) are not shown here … ",
  );
  expect(argument("x".repeat(601), { full: true })).toBe(`"${"x".repeat(601)}"`);
});

test("what a text writes like a replaced secret is an escape, whatever characters for private use it holds", () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "⟨secret P, 14 chars⟩");
  expect(argument("⟨secret P, 14 chars⟩ hunter2hunter2", { redact })).toBe(
    '"\\u27e8secret P, 14 chars⟩ ⟨secret P, 14 chars⟩"',
  );
  expect(argument("\ue000\ue001⟨secret P⟩", { redact })).toBe('"\\ue000\\ue001\\u27e8secret P⟩"');
  const all = String.fromCodePoint(...Array.from({ length: 0x1900 }, (_, index) => 0xe000 + index));
  expect(argument(`⟨secret P⟩${all}`, { redact, full: true })).toMatch(
    /^"\\u27e8secret P⟩\\ue000.*\\uf8ff"$/,
  );
  expect(argument("⟨secret P⟩")).toBe('"⟨secret P⟩"');
  expect(argument(`\ue000⟨secret P⟩${"x".repeat(600)}`, { redact })).toContain(" of 611 characters");
});

test("a title is that of the tool, else that of its annotations, and a description may be missing", () => {
  const words = (parts: ToolParts) => lines(parts).filter((line) => line.startsWith("The server's words"));
  expect(words({})).toEqual([]);
  expect(words({ title: "T", annotations: { title: "A" } })).toEqual(['The server\'s words (title): "T"']);
  expect(words({ annotations: { title: "A" }, description: "D" })).toEqual([
    'The server\'s words (title): "A"',
    'The server\'s words (description): "D"',
  ]);
});

test("of a server's words 300 characters are shown, without secrets, and all where all is wanted", () => {
  const words = (description: string, settings: RenderSettings = {}) =>
    lines({ description }, settings).find((line) => line.startsWith("The server's words"));
  expect(words("x".repeat(300))).toBe(`The server's words (description): "${"x".repeat(300)}"`);
  expect(words("x".repeat(302))).toBe(
    `The server's words (description): "${"x".repeat(300)}" … 2 more characters`,
  );
  expect(words("x".repeat(302), { full: true })).toBe(
    `The server's words (description): "${"x".repeat(302)}"`,
  );
  const redact = (text: string) => text.replaceAll("hunter2", "⟨secret⟩");
  expect(words("is hunter2", { redact })).toBe('The server\'s words (description): "is ⟨secret⟩"');
});

test("eight lines of a decoded view are shown, and how many there are more", () => {
  const view = (members: number, settings: RenderSettings = {}) => {
    const text = JSON.stringify(Array.from({ length: members }, (_, index) => index));
    const all = lines({}, settings, { a: text });
    return all.slice(all.indexOf("Decoded view of a (JSON in a string), not what is sent:") + 1);
  };
  expect(view(6)).toEqual(["  [", "    0,", "    1,", "    2,", "    3,", "    4,", "    5", "  ]"]);
  expect(view(7).slice(7)).toEqual(["    6", "  … 1 more lines of this view"]);
  expect(view(9).slice(8)).toEqual(["  … 3 more lines of this view"]);
  expect(view(9, { full: true })).toHaveLength(11);
});

test("the lines of a view keep to the width, with the space before them", () => {
  const all = lines({}, { width: 30 }, { a: JSON.stringify(["x".repeat(60)]) });
  const width = Math.max(...all.map((line) => line.length));
  expect(width).toBeLessThanOrEqual(30);
  expect(all.filter((line) => line.startsWith("  ↪") || line.startsWith("   ")).length).toBeGreaterThan(0);
});

test("a row of a reason ends behind a space, and arguments take the width that there is", () => {
  const question = {
    id: "q",
    calls: [makeCall(makeTool(), { a: "x".repeat(30) })],
    warnings: [],
    scopes: [],
  };
  const rows = renderQuestion({ ...question, reason: "one two three four five" } as never, { width: 21 });
  expect(rows).toContain("one two three four ");
  expect(rows).toContain("↪ five");
  expect(argument("x".repeat(30), { width: 60 }).split("\n")).toHaveLength(1);
  expect(renderArguments(makeCall(makeTool(), { a: "x".repeat(30) }), { width: 5 })).toContain(
    `  "a": "${"x".repeat(12)}`,
  );
});

const assessment = (warnings: string[] = []): CallGroup["assessment"] => ({
  type: "ask",
  by: { type: "default" },
  reason: "why",
  warnings,
  grantable: true,
});

test("calls are one question when their server, tool, definition and bytes are the same", () => {
  const tool = makeTool();
  const calls = [
    makeCall(tool, { a: 1 }),
    makeCall(tool, { a: 1 }),
    makeCall(tool, { a: 2 }),
    makeCall(makeTool({ name: "other" }), { a: 1 }),
    makeCall(makeTool({ server: "other" }), { a: 1 }),
    makeCall(makeTool({ description: "other" }), { a: 1 }),
    { ...makeCall(tool, { a: 1 }), argumentsJson: '{ "a": 1 }' },
  ];
  const groups = new Map<string, CallGroup>();
  for (const [index, call] of calls.entries()) addToGroups(groups, call, index, assessment());
  expect([...groups.values()].map(({ indexes }) => indexes)).toEqual([[0, 1], [2], [3], [4], [5], [6]]);
  expect([...groups.values()][0]?.calls).toEqual(calls.slice(0, 2));
});

test("a question cannot be changed, tells what changed first, and offers conditions where later calls may be allowed", () => {
  const group: CallGroup = {
    assessment: assessment(["w"]),
    calls: [makeCall(makeTool(), { a: 1 })],
    indexes: [0],
  };
  const question = toQuestion(group, ["changed"], ["once", "conversation"], (text) => text);
  expect(question).toMatchObject({
    reason: "why",
    warnings: ["changed", "w"],
    scopes: ["once", "conversation"],
  });
  expect(question.conditions).toContainEqual({ type: "equals", argument: ["a"], value: 1 });
  for (const part of [
    question,
    question.calls,
    question.warnings,
    question.scopes,
    question.conditions?.[0],
  ]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
  expect(toQuestion(group, [], ["once"], (text) => text)).not.toHaveProperty("conditions");
  const none: CallGroup = { ...group, calls: [makeCall(makeTool(), {})] };
  expect(toQuestion(none, [], ["once", "conversation"], (text) => text)).not.toHaveProperty("conditions");
  expect(question.id).toMatch(/^question_/);
  expect(toQuestion(group, [], ["once"], (text) => text).id).not.toBe(question.id);
});
