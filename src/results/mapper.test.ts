import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, catalogTool, mapOne, mapTurn, memorySpill, textsOf } from "../../test/support/results.ts";
import type { Json } from "../types/json.ts";
import type { ServerBlock } from "../types/outcome.ts";

const text = (value: string): ServerBlock => ({ type: "text", text: value });

test("text goes to the model as it is, block by block", async () => {
  const block = await mapOne(answered({ content: [text("one\r\n\ttwo"), text("Error: a word in a novel")] }));
  expect(block).toEqual({
    type: "tool_result",
    callId: "c1",
    content: [
      { type: "text", text: "one\r\n\ttwo" },
      { type: "text", text: "Error: a word in a novel" },
    ],
    isError: false,
  });
});

test("NUL is removed and half a surrogate pair replaced", async () => {
  const block = await mapOne(answered({ content: [text("a\0b\ud83dc🎉")] }));
  expect(textsOf(block)).toEqual(["ab\ufffdc🎉"]);
});

test("a registered secret is replaced in texts, structured content and what is kept aside", async () => {
  const spill = memorySpill();
  const redact = (given: string) => given.replaceAll("hunter22", "⟨secret⟩");
  const settled = [
    answered({ content: [text("key hunter22")], structuredContent: { key: "hunter22" } }),
    answered({ content: [text(`hunter22 ${"x".repeat(5000)}`)], structuredContent: { key: "hunter22!" } }),
  ];
  const turn = await mapTurn(settled, { spill, redact });
  expect(JSON.stringify([turn, [...spill.kept]])).not.toContain("hunter22");
});

test("a reply without content says that there is none", async () => {
  expect(textsOf(await mapOne(answered({})))).toEqual(["(no output)"]);
  expect(textsOf(await mapOne(answered({ content: [text(" \n"), text("")] })))).toEqual(["(no output)"]);
});

test("a failed tool without a message still has one", async () => {
  const block = await mapOne(answered({ isError: true, content: [text("")] }));
  expect(block.isError).toBe(true);
  expect(textsOf(block)).toEqual(["Tool failed without a message."]);
});

test("a call that failed or was refused is an error with the given message", async () => {
  const turn = await mapTurn([
    {
      callId: "a",
      tool: catalogTool(),
      outcome: {
        type: "failed",
        code: "call_timeout",
        message: "Timed out.",
        executed: "maybe",
        attempts: 1,
        ms: 1,
      },
    },
    { callId: "b", tool: null, outcome: { type: "refused", message: "Denied." } },
    { callId: "c", tool: null, outcome: { type: "refused", message: "" } },
  ]);
  expect(turn.results.map(({ block }) => [block.callId, block.isError, ...textsOf(block)])).toEqual([
    ["a", true, "Timed out."],
    ["b", true, "Denied."],
    ["c", true, "Tool failed without a message."],
  ]);
});

test("a link is one line and its address is not opened", async () => {
  const link: ServerBlock = {
    type: "resource_link",
    uri: "http://169.254.169.254/latest",
    title: "View\nof it",
    mimeType: "text/html",
    size: 1234,
    description: "What\nit is",
  };
  expect(textsOf(await mapOne(answered({ content: [link] })))).toEqual([
    "Resource link: View of it (text/html, 1,234 bytes) http://169.254.169.254/latest: What it is",
  ]);
  const bare: ServerBlock = { type: "resource_link", uri: "ui://x" };
  expect(textsOf(await mapOne(answered({ content: [bare] })))).toEqual(["Resource link: ui://x"]);
});

test("a resource with text is its text under a line that names it", async () => {
  const resource: ServerBlock = {
    type: "resource",
    uri: "file:///a",
    mimeType: "text/plain",
    text: "body\n",
  };
  expect(textsOf(await mapOne(answered({ content: [resource] })))).toEqual([
    "Resource file:///a (text/plain):\nbody\n",
  ]);
});

test("a resource whose bytes are text is read as text, and described when they are not", async () => {
  const blob = (bytes: Buffer): ServerBlock => ({
    type: "resource",
    uri: "file:///a",
    mimeType: "text/csv; charset=utf-8",
    blob: bytes.toString("base64"),
  });
  const block = await mapOne(
    answered({ content: [blob(Buffer.from("a,é\n")), blob(Buffer.from([0xff, 0xfe]))] }),
  );
  expect(textsOf(block)[0]).toBe("Resource file:///a (text/csv; charset=utf-8):\na,é\n");
  expect(textsOf(block)[1]).toContain("text/csv; charset=utf-8, 2 bytes. Its base64 kept");
});

test("sound and binary resources are described, and their base64 is only kept aside", async () => {
  const spill = memorySpill();
  const audio = Buffer.alloc(3000, 7).toString("base64");
  const block = await mapOne(
    answered({
      content: [
        { type: "audio", data: audio, mimeType: "audio/wav" },
        { type: "resource", uri: "file:///b", mimeType: "application/zip", blob: audio },
        { type: "unknown", kind: "video", summary: `3 fields, ${"QUJD".repeat(100)}` },
      ],
    }),
    { spill },
  );
  expect(block.isError).toBe(false);
  expect(textsOf(block)).toEqual([
    '[Audio: audio/wav, 3,000 bytes. Its base64 kept: read it with drawbridge__read_output {"id":"s1"}]',
    '[Resource file:///b: application/zip, 3,000 bytes. Its base64 kept: read it with drawbridge__read_output {"id":"s2"}]',
    '[Content of an unknown kind "video": 3 fields, QUJDQUJDQUJDQUJDQUJD… (400 characters)]',
  ]);
  expect([...spill.kept.values()]).toEqual([audio, audio]);
});

test("a reply that cannot be rendered stays a success and costs no other result", async () => {
  let deep: Json = 1;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  const turn = await mapTurn([answered({ structuredContent: deep }), answered({ content: [text("fine")] })]);
  expect(turn.results.map(({ block }) => [block.isError, ...textsOf(block)])).toEqual([
    [false, "(the output could not be read)"],
    [false, "fine"],
  ]);
});

const anyBlock: fc.Arbitrary<ServerBlock> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string({ unit: "binary" }) }),
  fc.record({
    type: fc.constantFrom("image" as const, "audio" as const),
    data: fc.oneof(fc.base64String(), fc.string()),
    mimeType: fc.string(),
  }),
  fc.record(
    {
      type: fc.constant("resource_link" as const),
      uri: fc.string(),
      name: fc.string(),
      size: fc.nat(),
      description: fc.string(),
    },
    { requiredKeys: ["type", "uri"] },
  ),
  fc.record(
    { type: fc.constant("resource" as const), uri: fc.string(), text: fc.string(), blob: fc.base64String() },
    { requiredKeys: ["type", "uri"] },
  ),
  fc.record({ type: fc.constant("unknown" as const), kind: fc.string(), summary: fc.string() }),
);

test("whatever a server answers, each call has one result that every model API takes", async () => {
  const reply = fc.record({
    content: fc.array(anyBlock, { maxLength: 8 }),
    isError: fc.boolean(),
    structuredContent: fc.option(fc.jsonValue() as fc.Arbitrary<Json>, { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply, { maxLength: 4 }),
      fc.integer({ min: 1, max: 400 }),
      async (replies, most) => {
        const settled = replies.map(({ structuredContent, ...rest }, index) =>
          answered(
            structuredContent === undefined ? rest : { ...rest, structuredContent },
            catalogTool(),
            `c${index}`,
          ),
        );
        const limits = { outputTokensPerResult: most, outputTokensPerTurn: most * 2 };
        const { results, trailing } = await mapTurn(settled, { limits });
        expect(results.map(({ block }) => block.callId)).toEqual(settled.map((one) => one.callId));
        for (const [index, { block }] of results.entries()) {
          expect(block.isError).toBe(replies[index]?.isError);
          expect(block.content.length).toBeGreaterThan(0);
          if (block.isError) expect(block.content.every((one) => one.type === "text")).toBe(true);
        }
        const blocks = [...results.flatMap(({ block }) => block.content), ...trailing];
        for (const one of blocks) {
          if (one.type !== "text") continue;
          expect(one.text.isWellFormed() && !one.text.includes("\0") && /\S/.test(one.text)).toBe(true);
        }
      },
    ),
    { numRuns: 150 },
  );
});
