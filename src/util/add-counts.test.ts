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
