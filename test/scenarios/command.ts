import { spawn } from "node:child_process";
import { environment, type Finished, root } from "../cli/command.ts";

/** The `--server` texts of servers that nobody of this project wrote. */
export const servers = {
  everything: "everything=node node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  workspace: "workspace=node examples/workspace-server/server.mjs examples/todo-project",
} as const;

export const mainQuestion = "Find all TODO comments in the project and create a summary";

export interface Conditions {
  /** Folder for everything that is kept. */
  readonly home: string;
  /** Over the small environment that every command here gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** A file that takes the place of standard output. */
  readonly stdout?: number;
}

/** A command that hangs must fail its test, and not the whole suite. */
const limitMs = 20_000;

/** Runs a program of this repository to its end, without a terminal. Its exit code is null when it had to be killed. */
export function runProgram(words: readonly string[], { home, env, stdout }: Conditions): Promise<Finished> {
  const [command = "", ...args] = words;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...environment(home), ...env },
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** Runs the built command to its end. */
export function drawbridge(argv: readonly string[], conditions: Conditions): Promise<Finished> {
  return runProgram([process.execPath, "dist/cli/main.js", ...argv], conditions);
}
