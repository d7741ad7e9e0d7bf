import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { conversationLines } from "../../src/cli/commands/conversations.ts";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const idOf = (stderr: string) => /^Conversation: (\S+)$/m.exec(stderr)?.[1] ?? "";

test("stored conversations are listed with their ids, which --continue takes", async () => {
  const home = homeFolder();
  expect((await drawbridge(["conversations"], home)).stdout).toBe("No conversations are stored.\n");
  const first = idOf((await drawbridge(["What is this?", "--model", "offline"], home)).stderr);
  const second = idOf((await drawbridge(["And what is that?", "--model", "offline"], home)).stderr);
  const { code, stdout } = await drawbridge(["conversations"], home);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^${second} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}1 turn {2}And what is that\\?\n${first}`),
  );
  const json = JSON.parse((await drawbridge(["conversations", "--limit", "1", "--json"], home)).stdout);
  expect(json).toMatchObject([{ id: second, turns: 1, question: "And what is that?" }]);
  const more = await drawbridge(["More?", "--model", "offline", "--continue", first], home);
  expect(idOf(more.stderr)).toBe(first);
});

test.each([
  [["More?", "--continue", "conversation_none"]],
  [["More", "and more", "--continue"]],
  [["--continue", "wrong", "More?"]],
  [["chat", "--continue", "conversation_none"]],
])("%j: an id that is none is told, and where the ids are", async (argv) => {
  const { code, stdout, stderr } = await drawbridge([...argv, "--model", "offline"], homeFolder());
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("drawbridge conversations lists them");
});

test("a run that never began keeps no conversation and names none", async () => {
  const home = homeFolder();
  const { code, stderr } = await drawbridge(["Hello there?", "--server", fixture("exits")], home);
  expect([code, idOf(stderr)]).toEqual([3, ""]);
  expect((await drawbridge(["conversations"], home)).stdout).toBe("No conversations are stored.\n");
});

test("questions are shown on one line, escaped", () => {
  const known = { startedAt: "", model: "", cwd: null, bytes: 0, lastAt: "2026-01-02T03:04:05Z" };
  const lines = conversationLines([
    { ...known, id: "conversation_1", turns: null, question: "a\u001b[2J" },
    { ...known, id: "c", turns: 12, question: "" },
  ]);
  expect(lines).toEqual([
    "conversation_1  2026-01-02 03:04            a\\u001b[2J",
    "c               2026-01-02 03:04  12 turns",
  ]);
});

test("grants that cannot be read are not told as none", async () => {
  const home = homeFolder();
  mkdirSync(join(home, "state"));
  symlinkSync("grants", join(home, "state/grants"));
  const { code, stdout, stderr } = await drawbridge(["grants", "list"], home);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("ELOOP");
});
