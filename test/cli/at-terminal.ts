import { spawn, spawnSync } from "node:child_process";
import { environment, root } from "./command.ts";

/** `script` of util-linux gives a command a terminal of its own. */
export const terminals: boolean =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

interface Step {
  /** Text on the screen that is waited for, behind that of the step before. */
  readonly on: string;
  readonly press: string;
}

/**
 * Runs a program of Node in a terminal of 100 by 40, and presses keys when the screen shows what they answer. `before`
 * stands before it on the shell's line, such as something that is piped into it.
 */
export function atTerminal(
  argv: readonly string[],
  home: string,
  steps: readonly Step[],
  before = "",
): Promise<{ code: number | null; screen: string }> {
  const command = ["node", ...argv].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 100 rows 40; ${before}${command}`, "/dev/null"], {
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
