import { expect, test } from "vitest";
import { markdownOf } from "./markdown.ts";

const withResult = (text: string) =>
  markdownOf(
    [
      {
        role: "user",
        content: [{ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError: false }],
      },
    ],
    (found) => found,
  );

test("a fence is longer than every run of backticks in it, and at least three", () => {
  expect(withResult("a ``` b")).toContain("````\na ``` b\n````\n");
  expect(withResult("a `` b")).toContain("```\na `` b\n```\n");
  expect(withResult("`````` and ````")).toContain("```````\n`````` and ````\n```````\n");
});

test("a text may hold any number of runs, of any length", () => {
  expect(withResult("``` ".repeat(300_000)).endsWith("\n````\n")).toBe(true);
  expect(withResult("`".repeat(300_000)).endsWith(`\n${"`".repeat(300_001)}\n`)).toBe(true);
});
