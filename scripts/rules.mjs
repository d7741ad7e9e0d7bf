// Takes every rule out of every simulated API in a copy of the source, one at a time, and expects the tests of that
// simulator to fail: a rule that no test misses is not proven. A simulator is a folder of src/testing with a list of
// rules in its validate.ts (`rules`, or `…Rules`), one to a line; its tests are in test/simulators and beside it.
// `node scripts/rules.mjs anthropic` looks at this simulator only.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCopies, firstLine, root, runVitest } from "./copy-tree.mjs";

const copiesAtOnce = 2;
const wanted = process.argv.slice(2);

/** Test files of a simulator that look at its rules. */
function testFiles(api) {
  return [`src/testing/${api}`, `test/simulators/${api}`].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter((name) => /^(?:rules|validate).*\.test\.ts$/.test(name))
          .map((name) => `${folder}/${name}`)
      : [],
  );
}

/** The rules in the list of a file: the names, and the lines that they stand on. */
function rulesIn(source) {
  const lines = source.split("\n");
  const start = lines.findIndex((line) => /^(?:export )?const (?:rules|\w+Rules)\b.*\[$/.test(line));
  if (start === -1) return [];
  const end = lines.findIndex((line, index) => index > start && line.startsWith("]"));
  return lines
    .slice(start + 1, end)
    .map((line, index) => ({ name: line.trim().replace(/,$/, ""), line: start + 1 + index }))
    .filter(({ name }) => name !== "" && !name.startsWith("//"));
}

const simulators = readdirSync(join(root, "src/testing"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)))
  .map(({ name }) => ({ api: name, file: `src/testing/${name}/validate.ts` }))
  .filter(({ file }) => existsSync(join(root, file)))
  .map((one) => ({
    ...one,
    rules: rulesIn(readFileSync(join(root, one.file), "utf8")),
    tests: testFiles(one.api),
  }));

const copyTree = createCopies("rules");
const copies = Array.from({ length: copiesAtOnce }, copyTree);

/** Everything as it is: what fails here would prove nothing later. */
for (const { api, rules, tests } of simulators) {
  const { results, output } =
    tests.length === 0 ? { results: [], output: "" } : await runVitest(copies[0], tests);
  const failing = results.find(({ status }) => status === "failed");
  if (rules.length === 0 || results.length === 0 || failing !== undefined) {
    const reason = rules.length === 0 ? "there is no list of rules" : (failing?.title ?? firstLine(output));
    console.error(`The simulator ${api} cannot be looked at: ${reason || "there are no tests"}`);
    process.exit(1);
  }
}

/** The name of the test that misses the rule, or null. */
async function missedBy(copy, { file, rule, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.split("\n").toSpliced(rule.line, 1).join("\n"));
  const { results } = await runVitest(copy, tests);
  writeFileSync(path, source);
  return results.find(({ status }) => status === "failed")?.title ?? null;
}

let passed = 0;
let failed = 0;
const waiting = simulators.flatMap(({ api, file, rules, tests }) =>
  rules.map((rule) => ({ api, file, rule, tests })),
);
await Promise.all(
  copies.map(async (copy) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const title = await missedBy(copy, next);
      if (title === null) failed += 1;
      else passed += 1;
      const verdict = title === null ? "FAILED" : "ok    ";
      console.log(`${verdict} ${next.api} without ${next.rule.name}: ${title ?? "no test misses it"}`);
    }
  }),
);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
