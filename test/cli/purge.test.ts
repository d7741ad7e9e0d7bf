import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plannedLines } from "../../src/cli/commands/purge.ts";
import { drawbridge, homeFolder } from "./command.ts";

const stored = (home: string) => readdirSync(join(home, "state/runs"));

test("purge asks, so it does nothing where nobody can be asked; --dry-run counts, --yes removes", async () => {
  const home = homeFolder();
  await drawbridge(["Hello there?", "--model", "offline"], home);
  const [name] = stored(home);
  const unasked = await drawbridge(["purge", "--all"], home);
  expect(unasked).toMatchObject({ code: 2, stdout: "" });
  expect(unasked.stderr).toContain("add --yes");
  expect(await drawbridge(["purge", "--all", "--dry-run"], home)).toMatchObject({
    code: 0,
    stdout: "Would remove 1 conversation.\n",
  });
  expect(await drawbridge(["purge", "--older-than", "1d", "--yes"], home)).toMatchObject({
    code: 0,
    stdout: "Removed 0 conversations.\n",
  });
  expect(stored(home)).toEqual([name]);
  const id = name?.replace(".jsonl", "") ?? "";
  const { code, stdout, stderr } = await drawbridge(["purge", id, "none", "--yes", "--json"], home);
  expect(JSON.parse(stdout)).toEqual({ dryRun: false, removed: [id], inUse: [], missing: ["none"] });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "✗ There is no stored conversation none of yours.\n" });
  expect(stored(home)).toEqual([]);
});

test.each([
  [[], "Which conversations?"],
  [["--all", "x"], "Take one of"],
  [["--older-than", "a while"], "--older-than takes days"],
])("purge %j is a mistake that is told in one line", async (argv, message) => {
  const { code, stderr } = await drawbridge(["purge", ...argv], homeFolder());
  expect(stderr).toMatch(/^drawbridge: [^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("what is to go is shown with its question, escaped, and no more than ten of them", () => {
  const removed = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const known = { startedAt: "", lastAt: "2026-01-02T00:00:00Z", model: "", turns: 0, cwd: null, bytes: 0 };
  const lines = plannedLines({ removed, inUse: [], missing: [] }, [
    { ...known, id: "c0", question: `\u001b[2J${"x".repeat(100)}` },
  ]);
  expect(lines[0]).toMatch(/^ {2}c0 {2}2026-01-02 {2}\\u001b\[2Jx{55}…$/);
  expect(lines.slice(9)).toEqual(["  c9", "  … and 2 more"]);
});
