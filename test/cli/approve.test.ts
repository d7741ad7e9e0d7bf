import { spawn, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { drawbridge, environment, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const enter = "\r";
const ctrlC = "\u0003";

/** `script` of util-linux gives the command a terminal of its own. */
const terminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

interface Step {
  /** Text on the screen that is waited for. */
  readonly on: string;
  readonly press: string;
}

/** Runs the command in a terminal, presses keys when the screen shows what they answer, and tells the terminal's state at the end. */
function atTerminal(
  argv: readonly string[],
  steps: readonly Step[],
): Promise<{ code: number | null; screen: string }> {
  const command = ["node", "dist/cli/main.js", ...argv].map((word) => `'${word}'`).join(" ");
  const script = `stty cols 100 rows 40; ${command}; code=$?; stty -a; exit $code`;
  const child = spawn("script", ["-qec", script, "/dev/null"], {
    cwd: root,
    env: { ...environment(home), TERM: "xterm-256color", SHELL: "/bin/sh" },
  });
  let screen = "";
  let seen = 0;
  const left = [...steps];
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    for (let next = left[0]; next !== undefined; next = left[0]) {
      const at = screen.indexOf(next.on, seen);
      if (at < 0) return;
      seen = at + next.on.length;
      left.shift();
      child.stdin.write(next.press);
    }
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}

const remove = ['Delete the note "a.txt"', "--server", fixture("plain")];
const read = ['Read the note "a.txt"', "--server", fixture("plain")];
/** The choices are there: keys count. */
const choices = "[m] deny and say why";

test.runIf(terminals)("the question shows the call, and allowing it once runs it", async () => {
  const { code, screen } = await atTerminal(remove, [{ on: choices, press: "y" }]);
  expect(screen).toContain("delete_note");
  expect(screen).toContain("a.txt says hello");
  expect(code).toBe(0);
});

test.runIf(terminals)("keys typed before the question, and Enter at it, run nothing", async () => {
  const { code, screen } = await atTerminal(remove, [
    { on: "offline", press: "yyy" },
    { on: choices, press: enter },
    { on: "Enter is none of them", press: "n" },
  ]);
  expect(screen).toContain("Denied by the person");
  expect(screen).not.toContain("says hello");
  expect(code).toBe(0);
});

test.runIf(terminals)("a denial says why to the model", async () => {
  const { screen } = await atTerminal(remove, [
    { on: choices, press: "m" },
    { on: "Why not?", press: `keep it${enter}` },
  ]);
  expect(screen).toContain("Denied by the person: keep it");
});

test.runIf(terminals)(
  "an answer that is bound to arguments is kept with them, and the list says so",
  async () => {
    const { code, screen } = await atTerminal(read, [
      { on: choices, press: "w" },
      { on: "[w] whatever the arguments", press: "a" },
    ]);
    expect(screen).toContain('An answer for later calls holds when path is "a.txt" and there are no other');
    expect(code).toBe(0);
    const { stdout } = await drawbridge(["grants", "list"], home);
    expect(stdout).toMatch(/read_note .* when path is "a\.txt" and there are no other arguments\n$/);
    expect(await drawbridge(["grants", "revoke", "--all"], home)).toMatchObject({
      stdout: "Took back 1 grant.\n",
    });
  },
);

test.runIf(terminals)(
  "Ctrl-C at the question interrupts the run and leaves the terminal as it was",
  async () => {
    const { code, screen } = await atTerminal(remove, [{ on: choices, press: ctrlC }]);
    expect(screen).toContain("Interrupted");
    expect(screen.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(screen.lastIndexOf("\u001b[?2004h"));
    expect(screen).toMatch(/ icanon [\s\S]* echo /);
    expect(code).toBe(130);
  },
);
