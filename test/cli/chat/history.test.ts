import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readHistory, remember, writeHistory } from "../../../src/cli/chat/history.ts";
import { openHistoryFile } from "../../../src/cli/chat/history-file.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-history-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("an input is remembered once in a row; one that begins with a space is not", () => {
  const history = ["a", "a", " secret", "b\nc"].reduce<readonly string[]>(remember, []);
  expect(history).toEqual(["a", "b\nc"]);
  expect(readHistory(writeHistory(history))).toEqual(history);
});

test("the history is bounded and a broken line costs only itself", () => {
  const many = Array.from({ length: 700 }, (_, index) => `${index}`);
  expect(many.reduce<readonly string[]>(remember, [])).toHaveLength(500);
  expect(readHistory('"a"\n{broken\n5\n"b"\n')).toEqual(["a", "b"]);
});

test("the file is for the owner's eyes, and two chats add to one file", async () => {
  const path = join(folder, "state", "chat-history");
  const one = openHistoryFile(path);
  const other = openHistoryFile(path);
  await one.add("from one");
  await other.add("from the other");
  expect(await one.load()).toEqual(["from one", "from the other"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("without a path nothing is kept, and a file that cannot be written costs nothing", async () => {
  const nowhere = openHistoryFile(null);
  await nowhere.add("x");
  expect(await nowhere.load()).toEqual([]);
  const file = join(folder, "file");
  writeFileSync(file, "");
  await openHistoryFile(join(file, "below")).add("x");
  expect(readFileSync(file, "utf8")).toBe("");
});
