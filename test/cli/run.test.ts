import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder, processesWith, start } from "./command.ts";

const home = homeFolder();
const read = 'Read the note "a.txt"';
const remove = 'Delete the note "a.txt"';

test("the answer goes to standard output, what happens on the way to standard error", async () => {
  const { code, stdout, stderr } = await drawbridge(
    [read, "--server", fixture("plain"), "--trust", "notes"],
    home,
  );
  expect(stdout).toContain("a.txt says hello");
  expect(stderr).toMatch(/server notes: ready after .* 2 tools/);
  expect(stderr).toContain('→ notes/read_note {"path":"a.txt"}\n  allowed: ');
  expect(stderr).toMatch(/✓ notes\/read_note \d+/);
  expect(stderr).toMatch(/Answered: 2 turns, 1 call/);
  expect(stderr).toContain(`Audit log: ${home}`);
  expect(code).toBe(0);
});

test("without a terminal there are no escape sequences", async () => {
  const { stdout, stderr } = await drawbridge([read, "--server", fixture("plain"), "--trust", "notes"], home);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("what nobody can be asked is denied with exit code 4, and the rule it names allows it", async () => {
  const { code, stdout, stderr } = await drawbridge([remove, "--server", fixture("plain")], home);
  expect(stderr).toContain("  Denied: nobody could be asked.");
  expect(stdout).not.toContain("says hello");
  expect(code).toBe(4);

  const rule = /To allow: --allow '(.*)'$/m.exec(stderr)?.[1] ?? "";
  const allowed = await drawbridge([remove, "--server", fixture("plain"), "--allow", rule], home);
  expect(allowed.stdout).toContain("a.txt says hello");
  expect(allowed.code).toBe(0);
});

test("what the model chose is not expanded when the rule is pasted into a shell", async () => {
  const { stderr } = await drawbridge(
    ['Delete the note "it\'s$(id).txt"', "--server", fixture("plain")],
    home,
  );
  const [, pasted = ""] = /To allow: (--allow .*)$/m.exec(stderr) ?? [];
  const words = spawnSync("sh", ["-c", `printf '%s\\n' ${pasted}`], { encoding: "utf8" }).stdout.split("\n");
  expect(words).toEqual(["--allow", `notes/delete_note path="it's$(id).txt"`, ""]);
});

test("the turn limit is exit code 5", async () => {
  const argv = [read, "--server", fixture("plain"), "--trust", "notes", "--max-turns", "1"];
  const { code, stderr } = await drawbridge(argv, home);
  expect(stderr).toContain("Stopped at the limit of 1 turn");
  expect(code).toBe(5);
});

test("--json writes the result as one JSON document and nothing else", async () => {
  const argv = [read, "--server", fixture("hostile"), "--trust", "notes", "--json"];
  const { code, stdout, stderr } = await drawbridge(argv, home);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ stop: { type: "answered" }, turns: 2, calls: 1, unasked: 0 });
  expect(result.messages).toHaveLength(4);
  expect(stderr).toContain("notes/read_note");
  expect(code).toBe(0);
});

test("control and bidi characters of a server are made visible", async () => {
  const run = await drawbridge([read, "--server", fixture("hostile"), "--trust", "notes"], home);
  const list = await drawbridge(["tools", "--server", fixture("hostile")], home);
  expect(run.stdout).toContain("gone");
  expect(list.stdout).toContain("Read ");
  for (const text of [run.stdout, run.stderr, list.stdout, list.stderr]) {
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test("a reader that goes away does not make it fail", async () => {
  const running = start([read, "--server", fixture("plain"), "--trust", "notes"], home);
  running.child.stdout?.destroy();
  const { code, stderr } = await running.finished;
  expect(stderr).not.toMatch(/EPIPE|at .*\.js/);
  expect(code).toBe(0);
});

const linux = process.platform === "linux";

test.runIf(linux).each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s in the middle of a call leaves with %d, and no process stays", async (signal, expected) => {
  const marker = `marker-${signal}-${process.pid}`;
  const running = start([read, "--server", fixture("hangs", marker), "--trust", "notes"], home);
  await running.saw("allowed: ");
  await running.saw("notes/read_note");
  expect(processesWith(marker)).not.toEqual([]);
  running.child.kill(signal);
  const { code, stderr, stdout } = await running.finished;
  expect(stderr).toContain("Interrupted");
  expect(stdout).toBe("");
  expect(code).toBe(expected);
  expect(processesWith(marker)).toEqual([]);
});
