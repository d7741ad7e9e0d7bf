import { spawn, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { environment, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const up = "\u001b[A";
const enter = "\r";
const ctrlC = "\u0003";

/** `script` of util-linux gives the command a terminal of its own. */
const terminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

interface Step {
  /** Text on the screen that is waited for. */
  readonly on: string;
  readonly press: string;
}

/** Runs the command in a terminal and presses keys when the screen shows what they answer. */
function atTerminal(
  argv: readonly string[],
  steps: readonly Step[],
): Promise<{ code: number | null; screen: string }> {
  const command = ["node", "dist/cli/main.js", ...argv].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 100 rows 40; ${command}`, "/dev/null"], {
    cwd: root,
    env: { ...environment(home), TERM: "xterm-256color", SHELL: "/bin/sh" },
  });
  let screen = "";
  let seen = 0;
  const left = [...steps];
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    const next = left[0];
    const at = next === undefined ? -1 : screen.indexOf(next.on, seen);
    if (next === undefined || at < 0) return;
    seen = at + next.on.length;
    left.shift();
    child.stdin.write(next.press);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}

const remove = ['Delete the note "a.txt"', "--server", fixture("plain")];
/** The last line of the list of choices. */
const choices = "confirm";

test.runIf(terminals)("the question shows the call, and allowing it once runs it", async () => {
  const { code, screen } = await atTerminal(remove, [{ on: choices, press: `${up}${enter}` }]);
  expect(screen).toContain("delete_note");
  expect(screen).toContain("a.txt");
  expect(screen).toContain("a.txt says hello");
  expect(code).toBe(0);
});

test.runIf(terminals)("Enter alone denies", async () => {
  const { code, screen } = await atTerminal(remove, [{ on: choices, press: enter }]);
  expect(screen).toContain("Denied by the person");
  expect(screen).not.toContain("says hello");
  expect(code).toBe(0);
});

test.runIf(terminals)("Ctrl-C at the question interrupts the run and gives the cursor back", async () => {
  const { code, screen } = await atTerminal(remove, [{ on: choices, press: ctrlC }]);
  expect(screen).toContain("Interrupted");
  expect(screen.lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.lastIndexOf("\u001b[?25l"));
  expect(code).toBe(130);
});
