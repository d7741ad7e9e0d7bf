import fc from "fast-check";
import { expect, test } from "vitest";
import { ingestCallResult } from "./ingest-content.ts";

const blocksOf = (...content: unknown[]) => ingestCallResult({ content }).content;

test("a block of every kind arrives as it was sent", () => {
  const blocks = [
    { type: "text", text: "hello" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "file:///a", name: "a", size: 3 },
  ];
  const reply = ingestCallResult({ content: blocks, structuredContent: [1], isError: true });
  expect(reply).toEqual({ content: blocks, structuredContent: [1], isError: true, repairs: [] });
  const embedded = { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "A" } };
  expect(blocksOf(embedded)).toEqual([
    { type: "resource", uri: "file:///a", mimeType: "text/plain", text: "A" },
  ]);
});

test("an unknown block is described and its neighbours survive", () => {
  expect(
    blocksOf({ type: "text", text: "a" }, { type: "hologram", depth: 3 }, 7, { type: "text", text: "b" }),
  ).toEqual([
    { type: "text", text: "a" },
    { type: "unknown", kind: "hologram", summary: '{"type":"hologram","depth":3}' },
    { type: "unknown", kind: "value", summary: "7" },
    { type: "text", text: "b" },
  ]);
});

test("a text that is no text becomes one, whole", () => {
  const long = { rows: "x".repeat(5_000) };
  expect(blocksOf({ type: "text" }, { type: "text", text: long })).toEqual([
    { type: "text", text: "" },
    { type: "text", text: JSON.stringify(long) },
  ]);
});

test("base64 in its other spellings is read, and what is none is described", () => {
  const image = (data: unknown, mimeType?: string) => blocksOf({ type: "image", data, mimeType })[0];
  expect(image("-_-_", "image/png")).toMatchObject({ data: "+/+/", mimeType: "image/png" });
  expect(image("data:image/gif;base64,aGk=")).toMatchObject({ data: "aGk=", mimeType: "image/gif" });
  expect(image("aG\nk")).toMatchObject({ data: "aGk=", mimeType: "application/octet-stream" });
  expect(image("not base64!")).toMatchObject({ type: "unknown", kind: "image" });
  expect(image(undefined)).toMatchObject({ type: "unknown", kind: "image" });
});

test("content in another place or shape is found", () => {
  expect(ingestCallResult({ toolResult: { old: true } }).content).toEqual([
    { type: "text", text: '{"old":true}' },
  ]);
  expect(ingestCallResult({ content: { type: "text", text: "one" } }).content).toEqual([
    { type: "text", text: "one" },
  ]);
  expect(ingestCallResult({ structuredContent: { a: 1 } })).toEqual({
    content: [],
    structuredContent: { a: 1 },
    isError: false,
    repairs: [],
  });
});

test("a resource whose blob is no base64 is not told as empty, and a text that is none becomes one", () => {
  const resource = (members: object) => ({ type: "resource", resource: { uri: "a:b", ...members } });
  expect(blocksOf(resource({ mimeType: "x/y", blob: "!!!" }), resource({ blob: 7 }))).toEqual([
    {
      type: "unknown",
      kind: "resource",
      summary: '{"type":"resource","uri":"a:b","mimeType":"x/y","blob":"(unreadable: no base64)"}',
    },
    {
      type: "unknown",
      kind: "resource",
      summary: '{"type":"resource","uri":"a:b","blob":"(unreadable: no base64)"}',
    },
  ]);
  expect(blocksOf(resource({ text: { a: 1 } }), resource({ text: null, blob: null }))).toEqual([
    { type: "resource", uri: "a:b", text: '{"a":1}' },
    { type: "resource", uri: "a:b" },
  ]);
});

test.each([
  ["yes", true],
  ["True", true],
  [1, true],
  [{ reason: "broken" }, true],
  ["false", false],
  [" NO ", false],
  ["", false],
  [0, false],
  [null, false],
])("an isError of %j is read as %s, and that is noted", (isError, read) => {
  const reply = ingestCallResult({ content: [{ type: "text", text: "x" }], isError });
  expect(reply).toMatchObject({
    content: [{ type: "text", text: "x" }],
    isError: read,
    repairs: [`isError was no boolean and was read as ${read}.`],
  });
});

test("a result of an unknown type is described with what identifies it", () => {
  const { content, repairs } = ingestCallResult({ resultType: "task", taskId: "t-1" });
  expect(content).toEqual([
    { type: "unknown", kind: "task", summary: '{"resultType":"task","taskId":"t-1"}' },
  ]);
  expect(repairs).toHaveLength(1);
});

test("structuredContent that is nested beyond reason is left out", () => {
  const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  expect(ingestCallResult({ content: [], structuredContent: deep })).not.toHaveProperty("structuredContent");
  expect(blocksOf({ type: "odd", deep })).toEqual([
    { type: "unknown", kind: "odd", summary: "(nested too deeply to show)" },
  ]);
});

test("any JSON at all is a reply whose members have their types", () => {
  const block = fc.record(
    {
      type: fc.oneof(fc.constantFrom("text", "image", "resource", "resource_link"), fc.jsonValue()),
      text: fc.jsonValue(),
      data: fc.jsonValue(),
      uri: fc.jsonValue(),
      resource: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const result = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { content: fc.oneof(fc.jsonValue(), fc.array(block)), isError: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(result, (raw) => {
      const reply = ingestCallResult(raw);
      expect(typeof reply.isError).toBe("boolean");
      for (const one of reply.content) {
        for (const name of ["text", "data", "uri", "kind", "summary", "mimeType", "blob"]) {
          const value = (one as Record<string, unknown>)[name];
          if (value !== undefined) expect(typeof value).toBe("string");
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a structure that is nested too deeply is left out, and the model is told", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(600)}1${"}".repeat(600)}`);
  const { content, structuredContent } = ingestCallResult({ content: [], structuredContent: deep });
  expect(structuredContent).toBeUndefined();
  expect(content).toEqual([
    { type: "text", text: "[structuredContent was nested deeper than 500 and was left out.]" },
  ]);
});

test("a type of result that no text can be made of is told as JSON", () => {
  const { content } = ingestCallResult({ content: [], resultType: { toString: null, valueOf: 1 } });
  expect(content).toMatchObject([{ type: "unknown", kind: '{"toString":null,"valueOf":1}' }]);
});

test("a type of result that is null is none", () => {
  const reply = ingestCallResult({ resultType: null, content: [{ type: "text", text: "done" }] });
  expect(reply).toEqual({ content: [{ type: "text", text: "done" }], isError: false, repairs: [] });
  expect(ingestCallResult({ resultType: null }).repairs).toEqual(["content was missing."]);
});
