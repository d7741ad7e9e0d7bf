// Times of the audit log, beside writing and flushing lines of the same length by hand, taken in turns:
// node audit.mjs BUNDLE CALLS PARALLEL. Prints one line of JSON, times in ms.
import fs, {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [, , bundle, calls, parallel] = process.argv;
const rounds = Number(calls);
const width = Number(parallel);

let flushes = 0;
const { fdatasync } = fs;
fs.fdatasync = (...args) => {
  flushes += 1;
  fdatasync(...args);
};
syncBuiltinESMExports();
const {
  createRecorder,
  createSecrets,
  keyedHashHex,
  openFileStores,
  systemClock: clock,
} = await import(bundle);

// Beside the bundle: a temporary folder may be memory, where flushing costs nothing.
const folder = mkdtempSync(join(import.meta.dirname, "scratch-audit-"));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const stores = openFileStores(folder, { clock });
const audit = await stores.openAudit("bench");
const key = await stores.hashKey();
const recorder = createRecorder({
  ...{ audit, journal: null, secrets: createSecrets(), principal: "bench", clock },
  keyedHash: (text) => keyedHashHex(key, text),
});

const args = { path: "src/index.ts", text: "x".repeat(200) };
const tool = {
  route: { server: "files", tool: "write_file" },
  ...{
    alias: "files__write_file",
    definition: {},
    configHash: "c".repeat(64),
    definitionHash: "d".repeat(64),
  },
};
const approved = (id) => ({
  call: { id, tool, arguments: args, argumentsJson: JSON.stringify(args), warnings: [] },
  decision: {
    type: "allow",
    by: { type: "rule", tier: "user", rule: "allow files/*" },
    reason: "a rule",
    waitedMs: 0,
  },
});
const reply = { content: [{ type: "text", text: "written" }], isError: false, repairs: [] };
const outcome = { type: "answered", reply, attempts: 1, ms: 5 };
const context = { runId: "run_0123456789abcdef", turn: 1 };

/** Intent and outcome of so many calls at once, both on the disk. */
async function record(count) {
  const all = Array.from({ length: count }, (_, index) => approved(`call_${index}`));
  await Promise.all(all.map((one) => recorder.intended(one, 1, context)));
  for (const one of all) recorder.settled(one, outcome, 1, context);
  await audit.flush();
}

const logFile = () =>
  join(
    folder,
    "audit",
    readdirSync(join(folder, "audit")).find((name) => name.endsWith(".jsonl")),
  );
const fd = openSync(join(folder, "bare"), "a");
/** The bytes of an intent and of an outcome, each written and flushed. */
function bare(lines) {
  for (const line of lines) {
    writeSync(fd, line);
    fdatasyncSync(fd);
  }
}

await record(1);
const lines = readFileSync(logFile(), "utf8")
  .split("\n")
  .slice(1, 3)
  .map((line) => `${line}\n`);
const ours = [];
const theirs = [];
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now();
  await record(1);
  const middle = performance.now();
  bare(lines);
  ours.push(middle - start);
  theirs.push(performance.now() - middle);
}
flushes = 0;
const before = statSync(logFile()).size;
const at = performance.now();
for (let round = 0; round < rounds / 4; round += 1) await record(width);
const took = performance.now() - at;
console.log(
  JSON.stringify({
    pair: median(ours),
    barePair: median(theirs),
    recordsPerFlush: (2 * width * Math.ceil(rounds / 4)) / flushes,
    parallelCall: took / (width * Math.ceil(rounds / 4)),
    bytes: statSync(logFile()).size - before,
  }),
);
await stores.close();
closeSync(fd);
rmSync(folder, { recursive: true, force: true });
