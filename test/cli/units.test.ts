import { expect, test } from "vitest";
import { count, formatBytes, formatMs } from "../../src/cli/terminal/units.ts";

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [1000, "1.0 s"],
  [59_940, "59.9 s"],
  [59_950, "1 min 0 s"],
  [185_000, "3 min 5 s"],
])("%d milliseconds are %s", (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});

test.each([
  [999, "999 B"],
  [1000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [12_345_678, "12.3 MB"],
  [85_050_600_000, "85.1 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("a count has its noun in the right number", () => {
  expect([count(0, "call"), count(1, "call"), count(1200, "call")]).toEqual([
    "0 calls",
    "1 call",
    "1,200 calls",
  ]);
});
