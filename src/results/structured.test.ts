import { expect, test } from "vitest";
import { answered, catalogTool, mapOne, memorySpill, textsOf } from "../../test/support/results.ts";
import type { ServerBlock } from "../types/outcome.ts";

const text = (value: string): ServerBlock => ({ type: "text", text: value });
const withSchema = catalogTool({ type: "object" });
const projects = { projects: [{ id: "p1" }, { id: "p2" }] };
const long = "word ".repeat(1000);

test("structured content alone is sent as compact JSON with sorted keys", async () => {
  const block = await mapOne(answered({ structuredContent: { total: 1, accounts: [{ id: 1 }] } }));
  expect(textsOf(block)).toEqual(['{"accounts":[{"id":1}],"total":1}']);
});

test("a summary and the structured content are both sent", async () => {
  const block = await mapOne(answered({ content: [text("2 items")], structuredContent: projects }));
  expect(textsOf(block)).toEqual(["2 items", '{"projects":[{"id":"p1"},{"id":"p2"}]}']);
});

test("structured content that a text repeats is sent once", async () => {
  const pretty = JSON.stringify(projects, null, 2);
  expect(textsOf(await mapOne(answered({ content: [text(pretty)], structuredContent: projects })))).toEqual([
    pretty,
  ]);
  expect(
    textsOf(await mapOne(answered({ content: [text(pretty)], structuredContent: projects }, withSchema))),
  ).toEqual(['{"projects":[{"id":"p1"},{"id":"p2"}]}']);
});

test("a text that repeats one member of the structured content is not sent beside it", async () => {
  const reply = { content: [text("the answer")], structuredContent: { answer: "the answer", sure: true } };
  expect(textsOf(await mapOne(answered(reply, withSchema)))).toEqual(['{"answer":"the answer","sure":true}']);
});

test("a text that the structured content only wraps is sent as it is", async () => {
  const reply = { content: [text('line "1"\n')], structuredContent: { content: 'line "1"\n' } };
  expect(textsOf(await mapOne(answered(reply, withSchema)))).toEqual(['line "1"\n']);
  expect(textsOf(await mapOne(answered(reply)))).toEqual(['line "1"\n']);
});

test("texts that repeat a list item by item are not sent beside it", async () => {
  const items = [{ a: 1 }, { a: 2 }];
  const content = items.map((item) => text(JSON.stringify(item, null, 1)));
  const block = await mapOne(answered({ content, structuredContent: { result: items } }));
  expect(textsOf(block)).toEqual(['{"result":[{"a":1},{"a":2}]}']);
});

test("structured content of null says nothing beside a text", async () => {
  expect(textsOf(await mapOne(answered({ content: [text("x")], structuredContent: null })))).toEqual(["x"]);
});

test("digits that a number loses in JavaScript stay visible", async () => {
  const written = '{"id": 12345678901234567890}';
  const reply = { content: [text(written)], structuredContent: JSON.parse(written) };
  expect(textsOf(await mapOne(answered(reply, withSchema)))).toEqual([written]);
});

test("a run of digits may be as long as a message", async () => {
  const structuredContent = { pi: "3".repeat(12_000_000) };
  const block = await mapOne(answered({ content: [text("the digits")], structuredContent }, withSchema));
  expect(textsOf(block).slice(0, 2)).toEqual(["the digits", expect.stringMatching(/^\{"pi":"333/)]);
});

test("with an outputSchema the structured content goes before a long text, which is kept", async () => {
  const spill = memorySpill();
  const block = await mapOne(answered({ content: [text(long)], structuredContent: projects }, withSchema), {
    spill,
  });
  expect(textsOf(block)).toEqual([
    '{"projects":[{"id":"p1"},{"id":"p2"}]}',
    'The same output as text (5,000 bytes) kept: read it with drawbridge__read_output {"id":"s1"}',
  ]);
  expect(spill.kept.get("r/s1")).toBe(long);
});

test("without an outputSchema a long text goes before the structured content, which is kept", async () => {
  const spill = memorySpill();
  const block = await mapOne(answered({ content: [text(long)], structuredContent: projects }), { spill });
  expect(textsOf(block)[0]).toBe(long);
  expect(spill.kept.get("r/s1")).toBe('{"projects":[{"id":"p1"},{"id":"p2"}]}');
});

test("content that breaks the outputSchema is delivered whole with a warning", async () => {
  const check = { valid: false as const, problems: ["/body must be string"] };
  const reply = { content: [text("the document")], structuredContent: { body: 1 } };
  expect(textsOf(await mapOne(answered(reply, withSchema), { check }))).toEqual([
    "the document",
    '{"body":1}',
    "Warning: the structured output is not what the tool's outputSchema promises: /body must be string",
  ]);
});

test("structured content that was promised and is missing costs a warning, not the text", async () => {
  const block = await mapOne(answered({ content: [text("the document")] }, withSchema));
  expect(block.isError).toBe(false);
  expect(textsOf(block)).toEqual([
    "the document",
    "Warning: the tool promises structured output, but returned none.",
  ]);
});

test("a failed call is not measured by the outputSchema", async () => {
  const check = { valid: false as const, problems: ["anything"] };
  const block = await mapOne(answered({ isError: true, content: [text("no such id")] }, withSchema), {
    check,
  });
  expect(textsOf(block)).toEqual(["no such id"]);
});
