// Takes every aspect of the behaviours in test/behaviours/manifest.ts out of a copy of the source, one at a time, and
// expects the test that names it to fail: a test that passes without its behaviour proves nothing.
// `node scripts/behaviours.mjs 10 13` looks at these behaviours only; attacks stand behind them as number 19.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { createCopies, firstLine, root, runProgram, runVitest } from "./copy-tree.mjs";

const copiesAtOnce = 2;

const { module } = await runnerImport(join(root, "test/behaviours/manifest.ts"));
const wanted = process.argv.slice(2).map(Number);
const known = [...module.behaviours, ...module.attacks];
const behaviours = known.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

const copyTree = createCopies("behaviours");

/** The type errors of the source, apart from what an edit may leave unused. */
async function typeErrors(copy) {
  const output = await runProgram(copy, "typescript/bin/tsc", [
    ...["-p", "tsconfig.build.json", "--noEmit", "--pretty", "false"],
    ...["--noUnusedLocals", "false", "--noUnusedParameters", "false"],
  ]);
  return output.split("\n").filter((line) => /error TS\d+/.test(line));
}

/** A name as a pattern: the places of a `test.each` template stand for anything. */
function patternOf(name) {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", ".*");
}

/** Runs tests by name. */
function runTests(copy, tests) {
  const pattern = tests.map(({ name }) => `(?:${patternOf(name)})`).join("|");
  const files = [...new Set(tests.map(({ file }) => file))];
  return runVitest(copy, [...files, "-t", pattern]);
}

/** Whether what the removal takes out stands exactly once in its file of a copy. */
const fits = (copy, { file, find }) => readFileSync(join(copy, file), "utf8").split(find).length === 2;

/** Takes the aspects out; the returned function puts them back. At most one of a file. */
function takeOut(copy, removals) {
  const sources = removals.map(({ file, find, replace }) => {
    const path = join(copy, file);
    const source = readFileSync(path, "utf8");
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    return [path, source];
  });
  return () => {
    for (const [path, source] of sources) writeFileSync(path, source);
  };
}

/** The first type error of each removal that has one. Removals of different files are checked together. */
async function compileErrors(copy, removals) {
  const found = new Map();
  const open = [...removals];
  while (open.length > 0) {
    const files = new Set();
    const together = open.filter(({ file }) => !files.has(file) && files.add(file));
    for (const one of together) open.splice(open.indexOf(one), 1);
    const putBack = takeOut(copy, together);
    const errors = await typeErrors(copy);
    putBack();
    for (const one of together) {
      const error = errors.find((line) => line.startsWith(`${one.file}(`));
      if (error !== undefined) found.set(one, error);
    }
    const elsewhere = errors.find((line) => !files.has(line.slice(0, line.indexOf("("))));
    if (elsewhere !== undefined) throw new Error(`An edit breaks another file: ${elsewhere}`);
  }
  return found;
}

/** Why the removal is no proof, or the first line of the failure that proves it. */
async function prove(copy, removal, tests) {
  const { breaks } = removal;
  const putBack = takeOut(copy, [removal]);
  const { files, results, output } = await runTests(
    copy,
    tests.filter(({ name }) => name === breaks),
  );
  putBack();
  const ran = results.filter(({ status }) => status === "passed" || status === "failed");
  if (ran.length === 0)
    return { problem: `no test ran: ${firstLine(files[0]?.message) || firstLine(output)}` };
  const failed = ran.find(({ status }) => status === "failed");
  if (failed === undefined) return { problem: `the test still passes: ${breaks}` };
  const failure = firstLine(failed.failureMessages[0]);
  // A slow machine does that as well.
  if (/timed out in \d|STACK_TRACE_ERROR/.test(failure)) return { problem: "the test ran out of time" };
  return { failure };
}

/** Everything as it is: what fails here would prove nothing later. */
async function checkBaseline(copy) {
  const errors = await typeErrors(copy);
  if (errors.length > 0) return errors;
  const tests = behaviours.flatMap((one) => {
    const names = new Set(one.removals.map(({ breaks }) => breaks));
    return one.tests.filter(({ name }) => names.has(name));
  });
  const { results, output } = await runTests(copy, tests);
  const missing = tests.filter(
    ({ name }) =>
      !results.some(
        ({ title, status }) => status === "passed" && new RegExp(`^${patternOf(name)}$`).test(title),
      ),
  );
  const failing = results.filter(({ status }) => status === "failed").map(({ title }) => `fails: ${title}`);
  if (results.length === 0) return [output];
  return [...failing, ...missing.map(({ name }) => `did not run: ${name}`)];
}

const copies = Array.from({ length: copiesAtOnce }, copyTree);
const problems = await checkBaseline(copies[0]);
if (problems.length > 0) {
  console.error(`The tests do not pass as it is:\n${problems.join("\n")}`);
  process.exit(1);
}

const all = behaviours.flatMap(({ id, tests, removals }) =>
  removals.map((removal) => ({ id, tests, removal })),
);
const fitting = all.filter(({ removal }) => fits(copies[0], removal)).map(({ removal }) => removal);
const broken = await compileErrors(copies[0], fitting);

function problemOf(removal) {
  if (!fitting.includes(removal)) return "what it takes out does not stand exactly once in the file";
  return broken.has(removal) ? `the edit does not compile: ${broken.get(removal)}` : undefined;
}

let passed = 0;
let failed = 0;
const waiting = [...all];

await Promise.all(
  copies.map(async (copy) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { id, tests, removal } = next;
      const known = problemOf(removal);
      const { problem, failure } = known ? { problem: known } : await prove(copy, removal, tests);
      if (problem === undefined) passed += 1;
      else failed += 1;
      const verdict = problem === undefined ? `ok     ${id}` : `FAILED ${id}`;
      console.log(`${verdict} without “${removal.aspect}” (${removal.file}): ${problem ?? failure}`);
    }
  }),
);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
