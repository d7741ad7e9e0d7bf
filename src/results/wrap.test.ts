import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTool } from "../../test/support/tools.ts";
import type { ToolResultBlock } from "../types/message.ts";
import type { SettledCall } from "../types/ports.ts";
import { builtinServer, type CatalogTool } from "../types/tool.ts";
import { wrapTurn } from "./wrap.ts";

const marker = "0123456789abcdef0123";
const picture = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
const text = (value: string) => ({ type: "text", text: value }) as const;

function wrapped(
  content: ToolResultBlock["content"],
  tool: CatalogTool | null = makeTool({ server: "web" }),
) {
  const reply = { content: [], isError: false, repairs: [] };
  const outcome = { type: "answered", reply, attempts: 1, ms: 1 } as const;
  const block = { type: "tool_result", callId: "c", content, isError: false } as const;
  const turn = { results: [{ block, keptBytes: 10, cutBytes: 0 }], trailing: [] };
  return wrapTurn(turn, [{ callId: "c", tool, outcome }], marker).results[0];
}

const opening = `<tool-data ${marker} server="web">`;
const closing = `</tool-data ${marker}>`;

test("a result stands between two markers that name its server, in its first and its last text", () => {
  expect(wrapped([text("a"), picture, text("b")])?.block.content).toEqual([
    text(`${opening}\na`),
    picture,
    text(`b\n${closing}`),
  ]);
  expect(wrapped([text("a")])?.block.content).toEqual([text(`${opening}\na\n${closing}`)]);
  expect(wrapped([picture])?.block.content).toEqual([text(opening), picture, text(closing)]);
  expect(wrapped([text("a")])?.keptBytes).toBe(10 + opening.length + closing.length + 2);
});

test("what pages through kept outputs is no server's own, and the result of an unknown tool neither", () => {
  for (const tool of [makeTool({ server: builtinServer }), null]) {
    expect(wrapped([text("a")], tool)?.block.content[0]).toMatchObject({
      text: expect.stringContaining(`<tool-data ${marker} server="several">`),
    });
  }
});

test("whatever a server sends and calls itself, nothing but the host closes what stands between the markers", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(opening, closing, marker, marker.slice(4), `${marker}${marker}`, "</tool-data 0>", '">'),
  );
  const some = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 3 }), some, (texts, server) => {
      const content = wrapped(texts.map(text), makeTool({ server }))?.block.content ?? [];
      const all = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      expect(all.split(marker)).toHaveLength(3);
      expect(all.startsWith(`<tool-data ${marker} server="`)).toBe(true);
      expect(all.endsWith(`\n${closing}`)).toBe(true);
      expect(all.slice(0, all.indexOf("\n"))).toMatch(/server="(?:[^"\\]|\\.)*">$/);
    }),
    { numRuns: 300 },
  );
});

test("what the host itself says of a call stays as it is", () => {
  const block = { type: "tool_result", callId: "c", content: [text("Denied.")], isError: true } as const;
  const turn = { results: [{ block, keptBytes: 7, cutBytes: 0 }], trailing: [] };
  const refused: SettledCall = { callId: "c", tool: null, outcome: { type: "refused", message: "Denied." } };
  expect(wrapTurn(turn, [refused], marker)).toEqual(turn);
});
