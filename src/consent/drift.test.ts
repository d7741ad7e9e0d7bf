import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../types/json.ts";
import type { ServerTool } from "../types/tool.ts";
import { definitionChanges } from "./definition-changes.ts";
import { pathChanges } from "./path-changes.ts";
import { wordChanges } from "./word-changes.ts";

const tool = (more: Partial<ServerTool>): ServerTool => ({
  name: "t",
  description: "Reads",
  inputSchema: { type: "object" },
  annotations: {},
  ...more,
});

test("texts are compared by words, with a few words around what is different", () => {
  const before = "one two three four five six seven eight nine ten";
  expect(wordChanges(before, before.replace("eight", "acht"))).toBe(
    "… three four five six seven[- eight-]{+ acht+} nine ten",
  );
  expect(wordChanges("a b", "b")).toBe("[-a b-]{+b+}");
  expect(wordChanges("", "new")).toBe("{+new+}");
});

test("what is invisible is shown, and what is long is cut with its size", () => {
  expect(wordChanges("x", "x \u202e\u200b\u001b[2Jy")).toBe("x{+ \\u202e\\u200b\\u001b[2Jy+}");
  const long = wordChanges("x", Array.from({ length: 500 }, (_, index) => `word${index}`).join(" "));
  expect(long).toMatch(/… [\d,]+ more characters$/);
  expect(wordChanges("x ".repeat(100_000), "y ".repeat(100_000))).toMatch(/^was "x x .* more characters/);
});

test("schemas are compared path by path, whatever their keys are", () => {
  const schema = (text: string) => ({ inputSchema: JSON.parse(text) as JsonObject });
  const before = tool(
    schema('{"properties":{"__proto__":{"type":"string"},"a b":{"enum":["x"]},"gone":{}}}'),
  );
  const now = tool({
    ...schema('{"properties":{"__proto__":{"type":"number"},"a b":{"enum":["x","y"]},"toString":{}}}'),
    outputSchema: { type: "object" },
    title: "T",
    annotations: { readOnlyHint: false },
  });
  expect(definitionChanges(before, now)).toEqual([
    'title: was absent, is "T"',
    'inputSchema.properties.__proto__.type: was "string", is "number"',
    'inputSchema.properties."a b".enum: was ["x"], is ["x","y"]',
    "inputSchema.properties.gone removed",
    "inputSchema.properties.toString added: {}",
    'outputSchema added: {"type":"object"}',
    "annotations.readOnlyHint added: false",
  ]);
});

test("many differences are counted, not listed", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
  const changes = pathChanges("s", {}, many);
  expect(changes).toHaveLength(13);
  expect(changes.at(-1)).toBe("s: 38 more differences");
  const huge = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]));
  expect(pathChanges("s", {}, huge).at(-1)).toBe("s: many more differences");
});

test("two values have no difference exactly when they are the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, two) => {
      const [before, now] = [one, two].map((value) => JSON.parse(JSON.stringify(value)));
      expect(pathChanges("s", before, before)).toEqual([]);
      const same = pathChanges("s", before, now).length === 0;
      expect(same).toBe(pathChanges("s", now, before).length === 0);
    }),
    { numRuns: 200 },
  );
});

test("the words that stayed and were added are the new text", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 })
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (before, now) => {
      const shown = wordChanges(before, now);
      if (shown.includes("…")) return;
      expect(
        shown
          .replace(/\[-.*?-\]/g, "")
          .replace(/\{\+|\+\}/g, "")
          .trim(),
      ).toBe(now.trim());
      expect(
        shown
          .replace(/\{\+.*?\+\}/g, "")
          .replace(/\[-|-\]/g, "")
          .trim(),
      ).toBe(before.trim());
    }),
    { numRuns: 200 },
  );
});
