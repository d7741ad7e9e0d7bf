// Changes the code of decisions and of their records in thousands of places, one at a time, and runs the tests that reach
// the place: a change that no test notices has survived. Texts for people are left as they are: tests hold the ones that
// matter. A survivor that means nothing stands in test/mutation/explained.json with its reason.
// `npm run mutate [-- FILE …]`: only these files. Ends with the share of noticed changes, and with 1 when it is too small.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./copy-tree.mjs";
import { installApart } from "./install-apart.mjs";
import { prepare } from "./prepare.mjs";

const folder = join(root, "test/mutation");
const least = 90;
const wanted = process.argv.slice(2);

// First, because an install empties the folder that the tools are in.
await prepare({ build: false });
const { node, packages } = tools();
const cache = join(root, "node_modules/.cache/mutation-state");
mkdirSync(cache, { recursive: true });
const report = join(cache, "report.json");
rmSync(report, { force: true });

const settings = {
  testRunner: "in-process",
  testRunnerNodeArgs: ["--disable-warning=ExperimentalWarning"],
  plugins: [join(folder, "runner.mjs")],
  mutate: wanted.length > 0 ? wanted : ["src/consent/**/*.ts", "src/audit/**/*.ts", "!src/**/*.test.ts"],
  mutator: { excludedMutations: ["StringLiteral"] },
  // It wants to rewrite that file with an interface that this compiler does not have.
  tsconfigFile: "none.json",
  // A change of what runs once, when the file is loaded, would mean to load everything anew each time.
  ignoreStatic: true,
  concurrency: 2,
  // Of a busy machine: a loop without an end is found by its count of turns.
  timeoutMS: 10_000,
  tempDirName: "node_modules/.cache/mutation-copy",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: report },
  ignorePatterns: ["dist", "docs", "bench", "examples"],
};
const file = join(cache, "settings.json");
writeFileSync(file, JSON.stringify(settings));
const stryker = join(packages, "@stryker-mutator/core/bin/stryker.js");
spawnSync(node, [stryker, "run", file], { cwd: root, stdio: "inherit" });
if (!existsSync(report)) fail("The tester ended without a report.");
judge(JSON.parse(readFileSync(report, "utf8")));

function tools() {
  try {
    return installApart(join(folder, "tools"), "mutation", { least: 24 });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(text) {
  console.error(text);
  process.exit(2);
}

/** Prints the survivors that nobody explained, a line for each file, and the share of all. */
function judge({ files }) {
  const explained = JSON.parse(readFileSync(join(folder, "explained.json"), "utf8"));
  const used = new Set();
  const sum = { noticed: 0, survived: 0, explained: 0 };
  for (const [name, { source, mutants }] of Object.entries(files).sort()) {
    const path = name.startsWith("/") ? relative(root, name) : name;
    const counts = { noticed: 0, survived: 0, explained: 0 };
    for (const mutant of mutants) {
      const kind = kindOf(mutant.status);
      if (kind === null) continue;
      const change = kind === "noticed" ? null : describe(path, source, mutant);
      const known =
        change &&
        explained.find(
          (one) => one.file === path && one.line === change.code && one.becomes === change.becomes,
        );
      if (known) used.add(known);
      counts[known ? "explained" : kind] += 1;
      if (change && !known)
        console.log(`survived  ${path}:${mutant.location.start.line}  ${change.from}  →  ${change.becomes}`);
    }
    for (const key of Object.keys(sum)) sum[key] += counts[key];
    console.log(
      `${percent(counts)}  ${path} (${counts.noticed} noticed, ${counts.survived} survived, ${counts.explained} explained)`,
    );
  }
  if (wanted.length === 0) {
    for (const one of explained)
      if (!used.has(one)) console.log(`no longer survives: ${one.file}  ${one.line}  →  ${one.becomes}`);
  }
  console.log(
    `${sum.noticed} noticed, ${sum.survived} survived, ${sum.explained} explained: ${percent(sum)}`,
  );
  const share = (100 * sum.noticed) / (sum.noticed + sum.survived + sum.explained);
  process.exitCode = share >= least ? 0 : 1;
}

/** Changes that do not run, or that cannot be told apart because they are never reached at all, count as what they are. */
function kindOf(status) {
  if (status === "Killed" || status === "Timeout") return "noticed";
  return status === "Survived" || status === "NoCoverage" ? "survived" : null;
}

/** The changed line without its indentation, and the changed piece before and after. */
function describe(path, source, { location, replacement }) {
  const lines = source.split("\n");
  const { start, end } = location;
  const code = (lines[start.line - 1] ?? "").trim();
  const piece =
    start.line === end.line
      ? lines[start.line - 1].slice(start.column - 1, end.column - 1)
      : `${lines[start.line - 1].slice(start.column - 1)} …`;
  return { path, code, from: short(piece), becomes: short(replacement ?? "") };
}

function short(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function percent({ noticed, survived, explained }) {
  const count = noticed + survived + explained;
  return count === 0 ? "  –   " : `${((100 * noticed) / count).toFixed(1)} %`;
}
