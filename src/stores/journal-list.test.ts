import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeJournal, journalNames } from "./journal-list.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "list-"));
  mkdirSync(join(folder, "runs"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = (id: string, more: object = {}) => ({
  kind: "journal_opened",
  v: 1,
  id,
  at: "2026-01-01T00:00:00.000Z",
  principal: "me",
  cwd: "/project",
  ...more,
});
const started = { kind: "run_started", at: "", run: "r", model: "x/y", system: "" };
const message = (role: string, text: string) => ({
  kind: "message_appended",
  run: "r",
  message: { role, content: [{ type: "text", text }] },
});
const ended = (totalTurns: number) => ({ kind: "run_ended", run: "r", totalTurns });

function write(id: string, records: readonly (object | string)[], changed = 1_000): void {
  const path = join(folder, "runs", `${id}.jsonl`);
  const lines = records.map((record) =>
    typeof record === "string" ? record : `${JSON.stringify(record)}\n`,
  );
  writeFileSync(path, lines.join(""));
  utimesSync(path, changed, changed);
}

async function list() {
  return (await journalNames(folder)).map((journal) => describeJournal(journal, "me"));
}

test("a conversation is known by its first question, model, folder, turns and times; the last written comes first", async () => {
  write("old", [
    opened("old"),
    started,
    message("user", "\n What?\nMore"),
    message("assistant", "a"),
    ended(3),
  ]);
  write("new", [opened("new"), started, message("user", "x".repeat(300))], 2_000);
  const [newest, oldest] = await list();
  expect(oldest).toEqual({
    id: "old",
    startedAt: "2026-01-01T00:00:00.000Z",
    lastAt: new Date(1_000_000).toISOString(),
    question: "What?",
    model: "x/y",
    turns: 3,
    cwd: "/project",
    bytes: expect.any(Number),
  });
  expect(newest).toMatchObject({ id: "new", turns: 0, question: `${"x".repeat(199)}…` });
});

test("of a long conversation only the ends are read: a question longer than that is cut, the turns are in its end", async () => {
  const long = `"\\\u0001${"ž".repeat(100_000)}`;
  write("long", [
    opened("long"),
    started,
    message("user", long),
    message("assistant", "a"),
    ended(7),
    message("assistant", "b"),
    '{"kind":"run_en',
  ]);
  const [found] = await list();
  expect(found?.question).toBe(`${long.slice(0, 199)}…`);
  expect(found?.turns).toBe(8);
});

test("what is somebody else's, of a later version or no journal is not listed", async () => {
  write("theirs", [opened("theirs", { principal: "them" })]);
  write("later", [opened("later", { v: 2 })]);
  write("copied", [opened("other")]);
  write("empty", []);
  write("garbage", ["\u0000{{"]);
  expect(await list()).toEqual([null, null, null, null, null]);
});

test("an older journal, without folder and turns of the whole, is listed as far as it says", async () => {
  const { cwd: _, ...older } = opened("older");
  write("older", [older, started, message("user", "q"), message("assistant", "a"), { kind: "run_ended" }]);
  expect(await list()).toMatchObject([{ cwd: null, turns: 1, question: "q" }]);
});

test("whatever a journal holds, listing it throws nothing", async () => {
  const record = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => `${JSON.stringify(value)}\n`),
    fc
      .record({
        kind: fc.constantFrom("message_appended", "run_started", "run_ended"),
        message: fc.jsonValue(),
      })
      .map((value) => `${JSON.stringify(value)}\n`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 6 }), async (records) => {
      write("any", [opened("any"), ...records]);
      expect((await list())[0]).toMatchObject({ id: "any" });
    }),
    { numRuns: 60 },
  );
});
