import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export const root: string = join(import.meta.dirname, "../..");
const main = join(root, "dist/cli/main.js");

/** A folder for everything the command keeps; gone when the tests of the file are done. */
export function homeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves once standard error holds the text. */
  saw(text: string): Promise<void>;
}

/** The environment of a command under test: nothing of the developer's own. */
export function environment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, DRAWBRIDGE_HOME: home };
}

/** The `--server` text of the fixture server. */
export function fixture(mode: string, marker = ""): string {
  return `notes=node test/cli/fixtures/server.mjs ${mode} ${marker}`.trim();
}

/** Starts the built command as a child without a terminal. `cwd` is where a project's files are looked for. */
export function start(argv: readonly string[], home: string, cwd: string = root): Running {
  const child = spawn(process.execPath, [main, ...argv], {
    cwd,
    env: environment(home),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const waiting: { text: string; resolve: () => void }[] = [];
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const one of waiting) if (stderr.includes(one.text)) one.resolve();
  });
  return {
    child,
    finished: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    }),
    saw: (text) =>
      new Promise((resolve) => {
        if (stderr.includes(text)) resolve();
        else waiting.push({ text, resolve });
      }),
  };
}

/** Runs the built command to its end. */
export function drawbridge(argv: readonly string[], home: string, cwd?: string): Promise<Finished> {
  return start(argv, home, cwd).finished;
}

function processesWhere(file: "cmdline" | "environ", text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/${file}`, "utf8").includes(text);
      } catch {
        return false;
      }
    });
}

/** Ids of the processes whose command line holds the marker (Linux). */
export function processesWith(marker: string): string[] {
  return processesWhere("cmdline", marker);
}

/** Ids of the processes that run for this home folder (Linux). */
export function processesOf(home: string): string[] {
  return processesWhere("environ", `HOME=${home}`);
}
