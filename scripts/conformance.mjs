// The public conformance suite of MCP against the real host: every client scenario that the suite has, at every
// revision that it is for, each by itself with a time limit, two at a time. It exits with 1 when one fails that
// test/conformance/expected.json does not explain, or passes although that says it cannot.
// `npm run conformance [-- SCENARIO …]`: only the scenarios whose names begin so.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installApart } from "./install-apart.mjs";
import { prepare } from "./prepare.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "test/conformance");
const wanted = process.argv.slice(2);
const atOnce = 2;
/** For one scenario: what the client may take, and what the suite may take with it, in ms. */
const clientMs = 60_000;
const scenarioMs = 90_000;
/** Extensions belong to no revision: they are run at those that the suite's requirements list them for. */
const extensionRevisions = ["2025-11-25", "2026-07-28"];

// First, because an install empties the folder that the suite is in.
await prepare();
const { node, suite } = install();

function install() {
  try {
    const { node, packages } = installApart(join(folder, "suite"), "conformance");
    return { node, suite: join(packages, "@modelcontextprotocol/conformance/dist/index.js") };
  } catch (error) {
    return fail(error.message);
  }
}

function fail(text) {
  console.error(text);
  process.exit(2);
}

/** Runs a program to its end, or to the end of its time. */
function run(command, args, { ms, ...options } = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), ms);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, timedOut: signal === "SIGKILL", output: Buffer.concat(chunks).toString() });
    });
  });
}

/** `- name [revision,revision]`, or `- name [extension]`, as the suite lists what it has. */
async function listRuns() {
  const { output } = await run(node, [suite, "list", "--client"]);
  const lines = output.matchAll(/^ +- (\S+) \[([^\]]+)\]$/gm);
  return [...lines].flatMap(([, scenario, listed]) => {
    const isExtension = listed === "extension";
    const revisions = isExtension ? extensionRevisions : listed.split(",");
    return revisions.map((revision) => ({
      scenario,
      revision,
      group: isExtension ? `extensions, ${revision}` : revision,
    }));
  });
}

/** One scenario at one revision: whether it passed, how many checks, and what the others say. */
async function play({ scenario, revision }, results) {
  const place = mkdtempSync(join(results, "run-"));
  const client = `"${process.execPath}" "${join(folder, "driver/client.mjs")}"`;
  const args = ["client", "--command", client, "--scenario", scenario, "--timeout", String(clientMs)];
  args.push("--spec-version", revision, "--force", "-o", place);
  const { code, timedOut, output } = await run(node, [suite, ...args], { ms: scenarioMs });
  const checks = readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith("checks.json"))
    .flatMap((name) => JSON.parse(readFileSync(join(place, name), "utf8")));
  const count = (status) => checks.filter((check) => check.status === status).length;
  const reasons = checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`);
  if (timedOut) reasons.push("the suite did not end in time");
  // A client that does nothing breaks no rule either.
  if (count("SUCCESS") === 0) reasons.push("nothing was checked");
  if (code !== 0 && reasons.length === 0) reasons.push(lastLines(output));
  const passed = code === 0 && reasons.length === 0;
  return { passed, held: count("SUCCESS"), skipped: count("SKIPPED"), reasons };
}

function lastLines(output) {
  return output.trim().split("\n").slice(-6).join(" | ");
}

const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
const runs = (await listRuns()).filter(
  ({ scenario }) => wanted.length === 0 || wanted.some((name) => scenario.startsWith(name)),
);
if (runs.length === 0) fail("The suite has no such scenario.");
const results = mkdtempSync(join(tmpdir(), "conformance-"));
process.on("exit", () => rmSync(results, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/** By group: runs, and those that passed. */
const tally = new Map();
let failed = 0;
let unexpected = 0;
const waiting = [...runs];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      report(next, await play(next, results));
  }),
);

function report({ scenario, revision, group }, { passed, held, skipped, reasons }) {
  const reason = expected[`${scenario} ${revision}`] ?? expected[scenario];
  const counts = tally.get(group) ?? { passed: 0, all: 0 };
  tally.set(group, { passed: counts.passed + (passed ? 1 : 0), all: counts.all + 1 });
  if (!passed) failed += 1;
  if (passed === (reason !== undefined)) unexpected += 1;
  const verdict = passed ? "passed" : reason === undefined ? "FAILED" : "failed, as expected";
  const checks = `${held} checks${skipped === 0 ? "" : `, ${skipped} skipped`}`;
  console.log(`${revision}  ${scenario}: ${verdict} (${checks})`);
  if (passed && reason !== undefined) console.log(`  it was expected to fail: ${reason}`);
  if (!passed) for (const line of reason === undefined ? reasons : [reason]) console.log(`  ${line}`);
}

for (const [group, { passed, all }] of [...tally].sort()) console.log(`${group}: ${passed} of ${all} passed`);
if (unexpected > 0) console.log(`${unexpected} not as expected`);
console.log(`${runs.length - failed} passed, ${failed} failed`);
process.exitCode = unexpected === 0 ? 0 : 1;
