import fc from "fast-check";
import { expect, test } from "vitest";
import { readTypedPrompt } from "../../../src/cli/chat/offers/typed-prompt.ts";
import { ingestCompletion } from "../../../src/connections/completion.ts";
import { createEntryPages } from "../../../src/connections/offer-entries.ts";
import { ingestPromptResult, readPromptEntry } from "../../../src/connections/prompts.ts";
import {
  ingestReadResult,
  readResourceEntry,
  readTemplateEntry,
} from "../../../src/connections/resources.ts";

const keys = fc.constantFrom(
  ...[
    "uri",
    "uriTemplate",
    "name",
    "title",
    "size",
    "text",
    "blob",
    "contents",
    "messages",
    "role",
    "content",
  ],
  ...["arguments", "required", "completion", "values", "hasMore", "__proto__", "constructor", "type"],
);
/** Anything a server may send, often with the names that are looked at. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
    fc.array(tie("value"), { maxLength: 4 }),
  ),
})).value;

const control = /[\u0000-\u001f\u007f]/;

test("whatever a server lists, each entry is usable or left out with a reason", () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 8 }), (page) => {
      for (const read of [readResourceEntry, readTemplateEntry, readPromptEntry]) {
        const pages = createEntryPages<{ readonly uri?: string; readonly name: string }>(read);
        expect(pages.take(page, undefined)).toBeNull();
        const { entries, leftOut } = pages.result();
        for (const { uri, name } of entries) {
          expect(typeof name).toBe("string");
          if (uri !== undefined) expect(uri).not.toMatch(control);
        }
        for (const { reason } of leftOut) expect(reason).not.toBe("");
        expect(entries.length + leftOut.length).toBeLessThanOrEqual(page.length);
      }
    }),
    { numRuns: 60 },
  );
});

test("whatever a server answers, its parts are those of the reply", () => {
  fc.assert(
    fc.property(anything, (result) => {
      const prompt = ingestPromptResult(result);
      const blocks = prompt.parts.reduce((sum, part) => sum + part.blocks, 0);
      expect(blocks).toBe(prompt.reply.content.length);
      const { parts, reply } = ingestReadResult(result, "a:asked");
      expect(parts.length).toBe(reply.content.filter((block) => block.type === "resource").length);
      for (const value of ingestCompletion(result).values) expect(value).not.toMatch(control);
    }),
    { numRuns: 60 },
  );
});

test("a message of a prompt may have any number of blocks", () => {
  const text = { type: "text", text: "a" };
  const content = Array.from({ length: 300_000 }, (_, index) => (index % 2 === 0 ? text : null));
  const { parts, reply } = ingestPromptResult({ messages: [{ role: "user", content }] });
  expect(parts).toEqual([{ role: "user", blocks: reply.content.length }]);
  expect(reply.content.length).toBeGreaterThanOrEqual(150_000);
});

test("whatever is typed, it is a prompt only of a server that there is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (typed) => {
      expect(readTypedPrompt(typed, [])).toBeNull();
      expect(readTypedPrompt(`/s:${typed}`, ["s"])?.server).toBe("s");
    }),
    { numRuns: 60 },
  );
});
