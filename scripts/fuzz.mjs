// Arbitrary conversations through the real host, each API's adapter and its strict simulator: nothing may be refused,
// every call is answered once, and what reaches a server is what was shown.
// `npm run fuzz [-- --runs N] [--api NAME] [--seed S] [--path P]`: N conversations of each API (10,000); a failure is
// played again with its seed and path.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { prepare } from "./prepare.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    api: { type: "string" },
    seed: { type: "string" },
    path: { type: "string" },
  },
});
const runs = Number(values.runs);
const firstSeed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
/** Conversations that one process plays before its simulators are started anew. */
const batchSize = 250;
/** An API is left alone once so many of its batches failed. */
const mostFailures = 3;
/** Conversations of the simulators' folders, and schemas of tools. */
const folders = ["anthropic", "openai-responses", "openai-chat", "gemini", "schemas"];
const apis = values.api === undefined ? folders : [values.api];
if (
  !Number.isInteger(runs) ||
  runs < 1 ||
  !Number.isInteger(firstSeed) ||
  !apis.every((api) => folders.includes(api))
) {
  console.error(`usage: npm run fuzz [-- --runs N] [--api ${folders.join("|")}] [--seed S] [--path P]`);
  process.exit(2);
}

await prepare();

/** The worker in one file: its sources are TypeScript. Inside the project, so that packages are found. */
async function bundleWorker() {
  const folder = mkdtempSync(join(root, "test/fuzz/scratch-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
  const bundle = await rolldown({
    input: join(root, "test/fuzz/worker.ts"),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith(root),
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "worker.mjs" });
  return join(folder, "worker.mjs");
}

const results = new Map(apis.map((api) => [api, { passed: 0, failures: [], tally: null, ms: 0 }]));
const orders = apis.flatMap((api, place) => {
  const count = values.path === undefined ? Math.ceil(runs / batchSize) : 1;
  return Array.from({ length: count }, (_, index) => ({
    api,
    runs: Math.min(batchSize, runs - index * batchSize),
    // Other conversations for each API; a seed that was given stays what it is when it is played again.
    seed: apis.length === 1 ? firstSeed + index : (firstSeed + index + 1_000_000 * place) % 2 ** 31,
    path: values.path,
  }));
});
let never = {};

function record({ api, seed, passed, failure, tally }, ms) {
  const result = results.get(api);
  result.passed += passed;
  result.ms += ms;
  if (failure !== null) {
    result.failures.push(failure);
    console.log(`FAILED ${api}, seed ${seed}\n${failure}\n`);
  }
  if (result.tally === null) result.tally = tally;
  else if (tally !== null) addTo(result.tally, tally);
}

/** Adds numbers, at any depth. */
function addTo(sums, numbers) {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "object") addTo(sums[name], value);
    else sums[name] += value;
  }
}

/** A process that takes orders until there are none. */
function work(program) {
  const child = fork(program);
  return new Promise((resolve, reject) => {
    let startedAt = performance.now();
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    child.on("message", (message) => {
      if (message.never) never = message.never;
      else record(message, performance.now() - startedAt);
      let order = orders.shift();
      while (order !== undefined && results.get(order.api).failures.length >= mostFailures)
        order = orders.shift();
      startedAt = performance.now();
      if (order === undefined) child.disconnect();
      else child.send(order);
    });
  });
}

function report(api, { passed, failures, tally, ms }) {
  if (tally === null) {
    console.log(`${api}: ${passed} pairs of a schema and arguments held, ${failures.length} did not`);
    return;
  }
  const { conversations, requests, shown, rejected, aborted, switched, near } = tally;
  console.log(
    `${api}: ${passed} conversations held, ${failures.length} did not; ${requests} requests, ${shown} calls shown, ` +
      `${rejected} rejected, ${aborted} runs aborted, ${switched} changes of model; ` +
      `${(ms / Math.max(1, conversations)).toFixed(1)} ms each`,
  );
  const unmet = Object.keys(near).filter((rule) => near[rule] === 0);
  const met = Object.entries(near).filter(([, hits]) => hits > 0);
  const rarest = met.sort(([, first], [, second]) => first - second).slice(0, 5);
  console.log(
    `  near ${met.length} of ${met.length + unmet.length} rules; least often: ` +
      rarest.map(([rule, hits]) => `${rule} (${hits} requests)`).join(", "),
  );
  for (const rule of unmet) console.log(`  not near ${rule}`);
  const reasons = new Map();
  for (const [rule, reason] of never[api] ?? []) reasons.set(reason, [...(reasons.get(reason) ?? []), rule]);
  for (const [reason, rules] of reasons) console.log(`  ${reason}: ${rules.join(", ")}`);
}

console.log(`seed ${firstSeed}, ${runs} conversations of each API`);
const program = await bundleWorker();
await Promise.all(
  Array.from({ length: Math.min(2, availableParallelism(), orders.length) }, () => work(program)),
);
for (const [api, result] of results) report(api, result);
const all = [...results.values()];
const passed = all.reduce((sum, one) => sum + one.passed, 0);
const failed = all.reduce((sum, one) => sum + one.failures.length, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
