// Every input that broke other hosts (test/cases), through every adapter and simulator that it concerns, and all the
// servers that speak Chat Completions. What waits for a stage that is not built is named with it.
// `npm run cases [-- ID …]` runs these cases only.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

await prepare();

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cases = join(root, "test/cases");
const wanted = process.argv.slice(2);
const waiting = JSON.parse(readFileSync(join(cases, "waiting.json"), "utf8"));
const ids = readdirSync(cases)
  .map((file) => file.replace(/\.json$/, ""))
  .filter((id) => id !== "waiting");
const unknown = wanted.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(", ")}.`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "cases-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const report = join(scratch, "report.json");

function runTests() {
  const files = readdirSync(join(root, "test")).filter((name) => /^cases.*\.test\.ts$/.test(name));
  const named = wanted.length === 0 ? [] : ["-t", `(?:${wanted.join("|")})`];
  const args = ["run", ...files.map((name) => `test/${name}`), ...named];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...args, "--reporter=json", `--outputFile=${report}`], {
    cwd: root,
    env: { ...process.env, CASE_APIS: "all" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("close", resolve));
}

await runTests();
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
const broken = testResults.filter(
  ({ assertionResults, message }) => assertionResults.length === 0 && message,
);
const results = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === "passed" || status === "failed");

/** The runs of each case; what is about all of them stands under no id. */
const byCase = new Map();
for (const { fullName, title, status, failureMessages } of results) {
  const id = ids.find((one) => fullName.includes(`${one} `)) ?? "all cases";
  const runs = byCase.get(id) ?? { passed: 0, failures: [] };
  if (status === "passed") runs.passed += 1;
  else runs.failures.push(`${fullName || title}: ${failureMessages[0]?.split("\n")[0]}`);
  byCase.set(id, runs);
}
for (const [id, { passed, failures }] of [...byCase].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(
    `${failures.length === 0 ? "ok     " : "FAILED "}${id}: ${passed} of ${passed + failures.length} held`,
  );
  for (const failure of failures) console.log(`       ${failure}`);
}
for (const { name, message } of broken) console.log(`FAILED ${name}: ${message.split("\n")[0]}`);
const waits = waiting.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
for (const { id, part, needs, reason } of waits) {
  console.log(`waits  ${id}${part === undefined ? "" : ` (${part})`} for ${needs}: ${reason}`);
}
const whole = new Set(waiting.filter(({ part }) => part === undefined).map(({ id }) => id));
const lost = (wanted.length === 0 ? ids : wanted).filter((id) => !byCase.has(id) && !whole.has(id));
for (const id of lost) console.log(`FAILED ${id}: nothing ran it`);
const passed = results.filter(({ status }) => status === "passed").length;
const failed = results.length - passed + broken.length + lost.length;
console.log(`${passed} passed, ${failed} failed${waits.length === 0 ? "" : `, ${waits.length} waiting`}`);
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
