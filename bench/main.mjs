// Speed as ratios to the plain loop in the same run: median of the paired rounds. `npm run bench [-- ROUNDS] [--only WORD]`.
import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { knownTen, lateMs, peakOf } from "./servers.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const rounds = Number(positionals[0] ?? 5);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const server = { command: process.execPath, args: [here("tool-server.mjs")] };
const one = { bench: server };
const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`bench${index}`, server]));

/** Starts the fake API, runs the work, ends the fake. */
async function withFake(settings, work) {
  const fake = fork(here("fake-messages.mjs"), [JSON.stringify(settings)]);
  const messages = [];
  const url = await new Promise((resolve, reject) => {
    fake.once("exit", (code) => reject(new Error(`the fake API ended with ${code}`)));
    fake.on("message", (message) => (message.url ? resolve(message.url) : messages.push(message)));
  });
  try {
    return await work(url, messages);
  } finally {
    fake.removeAllListeners("exit");
    fake.disconnect();
  }
}

/** Runs one program to its end and returns the line of JSON that it printed. */
function measure(args, url) {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      ANTHROPIC_BASE_URL: url ?? "",
      ANTHROPIC_API_KEY: "bench-key-of-no-account",
    };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.on("close", (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`${args[1]}: ${output}`)),
    );
  });
}

const subject = (kind, job, settings, url) =>
  measure([here("subject.mjs"), kind, job, JSON.stringify(settings)], url);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const turn = (kind, turns, more = {}) =>
  withFake({ turns, parallel: 8, tool: "bench__echo", input: { text: "hello" } }, (url) =>
    subject(kind, "turns", { servers: one, turns, warmUp: 0, ...more }, url),
  );

async function growth() {
  const { marks } = await turn("bridge", 300, { warmUp: 1 });
  const fifth = Math.floor(marks.length / 5);
  return (marks.at(-1) - marks.at(-1 - fifth)) / (marks[fifth] - marks[0]);
}

const sleepGap = (kind) =>
  withFake({ turns: 5, parallel: 8, tool: "bench__sleep", input: { ms: 200 } }, async (url) => {
    await subject(kind, "turns", { servers: one, turns: 5, warmUp: 0 }, url);
    return median(await (await fetch(`${url}/gaps`)).json());
  });

const coldStart = (kind) =>
  withFake({ turns: 0, parallel: 0, tool: "", input: {} }, async (url, messages) => {
    const startedAt = Date.now();
    await subject(kind, "ask", { servers: one }, url);
    return messages[0].firstRequestAt - startedAt;
  });

const connectTen = async () =>
  (await subject("bridge", "connect", { servers: ten, model: "offline" }, "http://127.0.0.1:9")).connectMs;
const spawnTen = async () => (await measure([here("bare-spawn.mjs"), JSON.stringify(ten)])).connectMs;
const bigResult = (kind) => subject(kind, "big", { servers: one, bytes: 10_000_000 }, "http://127.0.0.1:9");

/** A part of ours by itself, joined from the sources: the package keeps it to itself. */
async function bundled(folder, input, name) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const bundle = await rolldown({
    input: join(root, input),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith(root),
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: name });
  return join(folder, name);
}

// Inside the project, so that packages are found.
const scratch = mkdtempSync(here("scratch-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const own = await bundled(scratch, "src/connections/stdio/transport.ts", "transport.mjs");
const auditParts = await bundled(scratch, "bench/audit-parts.ts", "audit-parts.mjs");
/** Intents and outcomes of calls, one at a time and 32 at once. */
const audited = () => measure([here("audit.mjs"), auditParts, "200", "32"]);

const policyParts = await bundled(scratch, "bench/policy-parts.ts", "policy-parts.mjs");
const decided = () => measure([here("policy.mjs"), JSON.stringify({ own: policyParts, rules: 1000 })]);
/** A decision's time with 1,000 rules and 1,000 grants, in µs, to its goal. */
const policyRow = (name, part, goalMicroseconds) => [
  `policy: 1,000 rules, 1,000 grants, ${name}`,
  goalMicroseconds === null ? null : 1,
  async () => [(await decided())[part], goalMicroseconds ?? 50, "µs"],
];
const policyRows = [
  policyRow("a decision", "later", 50),
  policyRow("a tool's first", "first", null),
  policyRow("all of one tool", "one", 50),
];
const bigAnswer = (kind) =>
  measure([here("transport.mjs"), kind, JSON.stringify({ ...server, bytes: 10_000_000, own })]);

/** What the input of a conversation of 30 turns over 60 tools costs, in tokens of the usual price. */
const billing = (api, settings) =>
  measure([
    here("billing.mjs"),
    JSON.stringify({ api, turns: 30, tools: 60, parallel: 1, change: false, ...settings }),
  ]);

/** Rows about what one API bills: counted, so that one round says it. */
const billed = (api, goal) => [
  [
    `${api}: input of 30 turns to the least`,
    goal,
    async () => {
      const { billed: ours, least } = await billing(api, {});
      return [ours, least, "tokens"];
    },
    1,
  ],
  [
    `${api}: the same, a tool added in the middle`,
    goal,
    async () => {
      const { billed: ours, least } = await billing(api, { change: true });
      return [ours, least, "tokens"];
    },
    1,
  ],
  [
    `${api}: input not cached, 12 parallel calls`,
    0.06,
    async () => [1 - (await billing(api, { parallel: 12 })).hitRatio, 1, ""],
    1,
  ],
];

/** Each row: what is measured, the goal, a round that returns [ours, theirs, unit], and how many rounds if not all. */
const rows = [
  [
    "CPU a turn, 8 parallel echo calls, 100 turns",
    0.7,
    async () => [(await turn("bridge", 100)).perTurn, (await turn("plain", 100)).perTurn, "ms"],
  ],
  [
    "the same against a plain loop that streams",
    0.7,
    async () => [
      (await turn("bridge", 100)).perTurn,
      (await turn("plain", 100, { stream: true })).perTurn,
      "ms",
    ],
  ],
  ["last fifth to first fifth of 300 warm turns", 1.15, async () => [await growth(), 1, ""]],
  [
    "8 parallel sleep(200): answer to next request",
    1.1,
    async () => [await sleepGap("bridge"), await sleepGap("plain"), "ms"],
  ],
  [
    "10 stdio servers connected, to a bare spawn",
    1.15,
    async () => [await connectTen(), await spawnTen(), "ms"],
  ],
  [
    "10 MB result over stdio, CPU, transport alone",
    0.1,
    async () => [(await bigAnswer("own")).total, (await bigAnswer("sdk")).total, "ms"],
  ],
  [
    "the same through every stage, to a bare call",
    null,
    async () => [(await bigResult("bridge")).total, (await bigResult("plain")).total, "ms"],
  ],
  [
    "10 late servers known: first request to answer",
    1,
    async () => [await knownTen(withFake, subject), lateMs, "ms"],
  ],
  [
    "200 conversations, 3 servers, peak memory",
    0.75,
    async () => [await peakOf("bridge", withFake, subject), await peakOf("plain", withFake, subject), "MiB"],
  ],
  [
    "start to first model request, one server",
    0.8,
    async () => [await coldStart("bridge"), await coldStart("plain"), "ms"],
  ],
  ...policyRows,
  [
    "audit: intent and outcome, to two bare fdatasync",
    2,
    async () => {
      const { pair, barePair } = await audited();
      return [pair, barePair, "ms"];
    },
  ],
  [
    "audit: the same a call, 32 calls at once",
    null,
    async () => {
      const { parallelCall, barePair } = await audited();
      return [parallelCall, barePair, "ms"];
    },
  ],
  [
    "audit: fdatasync a record, 32 calls at once",
    0.1,
    async () => [1, (await audited()).recordsPerFlush, "records"],
  ],
  ...billed("anthropic", 1.05),
  ...billed("openai-chat", 1.05),
];

// Ratios of CPU hold on a busy computer better than times do, but not well.
const [load] = loadavg();
const busy = load > availableParallelism() * 0.75;
if (busy)
  console.log(`The load is ${load.toFixed(1)} on ${availableParallelism()} processors: times are noise.`);

console.log(
  `Node ${process.versions.node}, median of ${rounds} paired rounds; ours / plain, lower is better\n`,
);
for (const [name, goal, round, ownRounds = rounds] of rows) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  const pairs = [];
  for (let index = 0; index < ownRounds; index += 1) pairs.push(await round());
  const ratio = median(pairs.map(([ours, theirs]) => ours / theirs));
  const [ours, theirs] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  const unit = pairs[0][2];
  const absolute = unit === "" ? "" : `${ours.toFixed(1)} / ${theirs.toFixed(1)} ${unit}`;
  console.log(
    `${name.padEnd(50)} ${ratio.toFixed(2).padStart(6)}  goal ${String(goal ?? "none").padEnd(5)} ${goal === null ? "      " : ratio <= goal ? "met   " : "missed"} ${absolute}`,
  );
}
