import { expect, test } from "vitest";
import { withBehind } from "./verify-behind.ts";

const report = { path: "a.jsonl", records: 5, ok: true };
const behind = { covered: 3, last: 5, pid: null };
const headAt = (seq: number) => ({ file: "a", seq, hash: "h" });
const goesOn = { file: "b", seq: 3 };

test("what its process noted after the records were read is covered, wherever another file goes on", () => {
  expect(withBehind(report, behind, { now: headAt(5), goesOn })).toBe(report);
  expect(withBehind(report, behind, { now: headAt(6), goesOn: undefined })).toBe(report);
  expect(withBehind(report, null, { now: headAt(3), goesOn })).toBe(report);
  // It went on after the other file had begun: the last of it is what a killed process leaves.
  expect(withBehind(report, behind, { now: headAt(4), goesOn })).toEqual({
    ...report,
    uncovered: 1,
    note: "One record stands behind its head: its process was writing, or ended before it noted them, or they were added.",
  });
});

test("a file with a problem keeps it, and a note stays in front of another one", () => {
  const bad = { ...report, ok: false, problem: "Record 2 was changed." };
  expect(withBehind(bad, behind, { now: headAt(3), goesOn })).toBe(bad);
  const torn = { ...report, note: "Torn." };
  const noted = withBehind(torn, behind, { now: headAt(3), goesOn: undefined });
  expect(noted).toMatchObject({
    ok: true,
    uncovered: 2,
    note: expect.stringMatching(/^Torn\. 2 records stand/),
  });
  expect(withBehind(torn, behind, { now: headAt(3), goesOn })).not.toHaveProperty("note");
});

test("where another file goes on behind the head, only what stands behind that record is a change", () => {
  const found = withBehind(
    report,
    { ...behind, covered: 4 },
    { now: headAt(3), goesOn: { file: "b", seq: 4 } },
  );
  expect(found).toMatchObject({ ok: false, uncovered: 1, firstBadSeq: 5 });
});
