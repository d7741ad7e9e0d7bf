import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import type { JournalRecord } from "../types/journal.ts";
import { createJournalFile } from "./journal-file.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  path = join(folder, "runs/run_1.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createTestClock(0);
const opened = {
  kind: "journal_opened",
  v: 1,
  id: "run_1",
  at: "1970-01-01T00:00:00.000Z",
  principal: "me",
  cwd: process.cwd(),
};

function message(text: string): JournalRecord {
  return {
    kind: "message_appended",
    run: "run_1",
    message: { role: "user", content: [{ type: "text", text }] },
  };
}

function openJournal(principal = "me", id = "run_1") {
  return createJournalFile(folder, id, principal, clock);
}

function readBack(): unknown[] {
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line));
}

test("records are on the disk when append resolves, and read back as they were", async () => {
  const journal = openJournal();
  await journal.append(message("žluť \u2028 \n"));
  expect(readBack()).toEqual([opened, message("žluť \u2028 \n")]);
  await Promise.all([journal.append(message("b")), journal.append(message("c"))]);
  await journal.close();
  expect(readBack()).toEqual([opened, message("žluť \u2028 \n"), message("b"), message("c")]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(journal.append(message("d"))).rejects.toMatchObject({ code: "store_failed" });
});

test("a journal is continued by the next process", async () => {
  for (const text of ["a", "b"]) {
    const journal = openJournal();
    await journal.append(message(text));
    await journal.close();
  }
  expect(readBack()).toEqual([opened, message("a"), message("b")]);
});

test("a torn last line is cut before the next record, however long it is", async () => {
  const first = openJournal();
  await first.append(message("a"));
  await first.close();
  appendFileSync(path, `{"kind":"message_appended","run":"${"x".repeat(200_000)}`);
  const second = openJournal();
  await second.append(message("b"));
  await second.close();
  expect(readBack()).toEqual([opened, message("a"), message("b")]);
});

test("a journal of which only a torn opening is left is opened anew", async () => {
  const first = openJournal();
  await first.append(message("a"));
  await first.close();
  writeFileSync(path, '{"kind":"journal_op');
  const second = openJournal();
  await second.append(message("b"));
  await second.close();
  expect(readBack()).toEqual([opened, message("b")]);
});

test("a journal of another principal, a later version or none at all is not continued", async () => {
  const journal = openJournal();
  await journal.append(message("a"));
  await journal.close();
  await expect(openJournal("somebody").append(message("b"))).rejects.toThrow("another principal");
  writeFileSync(path, `${JSON.stringify({ ...opened, v: 2 })}\n`);
  await expect(openJournal().append(message("b"))).rejects.toThrow("a later version");
  writeFileSync(path, "{}\n");
  await expect(openJournal().append(message("b"))).rejects.toMatchObject({ code: "store_failed" });
});

test.each(["../x", "", "a/b", ".", "a.b", "x".repeat(129), "a\0b"])("%j is no id of a journal", (id) => {
  expect(() => openJournal("me", id)).toThrow("its id is not made of");
});
