import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { root } from "./markdown.ts";

/** Where the commands and programs of the pages run: nothing in it is the developer's own, and nothing is fetched. */
export interface Place {
  readonly folder: string;
  /** Has `drawbridge`, and an `npx` that starts the installed servers. */
  readonly programs: string;
  readonly compiled: string;
}

/** Gone when the tests of the file are done. */
export function createPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-docs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const programs = join(folder, "programs");
  const modules = join(folder, "node_modules");
  for (const made of [programs, join(modules, "@types")]) mkdirSync(made, { recursive: true });
  const script = (name: string, ...lines: readonly string[]) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${lines.join("\n")}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  script("drawbridge", `exec node "${join(root, "dist/cli/main.js")}" "$@"`);
  script(
    "npx",
    `[ "$1" = -y ] || exit 1`,
    'package="$2"; shift 2',
    `exec node "${join(root, "node_modules")}/$package/dist/index.js" "$@"`,
  );
  // Asked for the version of a package; no test goes to a network.
  script("npm", "exit 1");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(root, join(modules, "drawbridge-mcp"), "dir");
  symlinkSync(join(root, "node_modules/@types/node"), join(modules, "@types/node"), "dir");
  return { folder, programs, compiled: join(folder, "compiled") };
}

/** The folder of one page, where its files are and its commands run. */
export interface PageFolder {
  readonly work: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `user` is the person's own config file. */
  write(name: string, text: string): void;
}

export function pageFolder(place: Place, name: string): PageFolder {
  const work = join(place.folder, name, "project");
  const home = join(place.folder, name, "home");
  for (const made of [work, home]) mkdirSync(made, { recursive: true });
  return {
    work,
    environment: {
      PATH: `${place.programs}:${process.env.PATH ?? ""}`,
      HOME: home,
      DRAWBRIDGE_HOME: home,
    },
    write(file, text) {
      const path = file === "user" ? join(home, "config/drawbridge.json") : join(work, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${text}\n`);
    },
  };
}

export interface Ended {
  readonly status: number | null;
  /** Both standard output and standard error, as they came. */
  readonly output: string;
}

/** Runs a shell script in the folder to its end. */
export function runIn({ work, environment }: PageFolder, script: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // One pipe for both, so that lines stay in their order.
    const child = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
      cwd: work,
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });
}
