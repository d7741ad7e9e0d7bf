import { expect, test } from "vitest";
import { addCounts } from "./add-counts.ts";

test("every member is added, and neither of the two is changed", () => {
  const a = { tokens: 1, requests: 2 };
  const b = { requests: 20, tokens: 10 };
  expect(addCounts(a, b)).toEqual({ tokens: 11, requests: 22 });
  expect([a, b]).toEqual([
    { tokens: 1, requests: 2 },
    { requests: 20, tokens: 10 },
  ]);
});

test("a member that one of them leaves out is the other's", () => {
  const none: { readonly tokens: number; readonly thought?: number } = { tokens: 1 };
  const some: typeof none = { tokens: 2, thought: 5 };
  expect(addCounts(none, none)).toEqual({ tokens: 2 });
  expect(addCounts(none, some)).toEqual({ tokens: 3, thought: 5 });
  expect(addCounts(some, none)).toEqual({ tokens: 3, thought: 5 });
});
