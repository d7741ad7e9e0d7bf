// Copies of the tree to take something out of, and programs that run in them.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const left = /^(?:node_modules|coverage|\.git|dist.*)$/;

/** A function that makes copies. They are removed when the process ends. */
export function createCopies(name) {
  const temporary = mkdtempSync(join(tmpdir(), `${name}-`));
  process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  process.on("SIGINT", () => process.exit(130));
  let count = 0;
  return () => copyTree(join(temporary, `copy-${count++}`));
}

/** Packages are linked one by one, so that caches stay in the copy. */
function copyTree(copy) {
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.test(basename(path)) });
  const packages = join(root, "node_modules");
  mkdirSync(join(copy, "node_modules"));
  for (const entry of readdirSync(packages)) {
    if (!entry.startsWith("."))
      symlinkSync(join(packages, entry), join(copy, "node_modules", entry), "junction");
  }
  return copy;
}

/** Runs a program of a package in a copy; resolves with its output. */
export function runProgram(copy, program, args) {
  return new Promise((resolve) => {
    const path = join(root, "node_modules", program);
    const child = spawn(process.execPath, [path, ...args], { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
    child.on("close", () => resolve(Buffer.concat(output).toString("utf8")));
  });
}

/** Runs tests; resolves with Vitest's report on each, and what it printed. No results when it ended without a report. */
export async function runVitest(copy, args) {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const options = ["--reporter=json", `--outputFile=${report}`];
  const output = await runProgram(copy, "vitest/vitest.mjs", ["run", ...args, ...options]);
  if (!existsSync(report)) return { files: [], results: [], output };
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return { files: testResults, results: testResults.flatMap((one) => one.assertionResults), output };
}

/** The first line of a message, without colours. */
export const firstLine = (text = "") =>
  text
    .replace(/\u001b\[[\d;]*m/g, "")
    .split("\n")[0]
    .slice(0, 100);
