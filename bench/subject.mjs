// One measurement in a process of its own: node subject.mjs bridge|plain JOB JSON. Prints one line of JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , kind, job, json] = process.argv;
const settings = JSON.parse(json);
const stateFolder = settings.stateFolder ?? mkdtempSync(join(tmpdir(), "drawbridge-bench-"));
process.env.DRAWBRIDGE_HOME = stateFolder;

const cpu = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** Host CPU of one conversation, in ms a turn, and of each turn. */
async function turns(subject, connected) {
  for (let warm = 0; warm < settings.warmUp; warm += 1) await subject.ask(connected, "warm up", settings);
  const marks = [];
  const before = process.cpuUsage();
  await subject.ask(connected, "go", { ...settings, onTurn: () => marks.push(cpu(before)) });
  const total = cpu(before);
  return { total, perTurn: total / settings.turns, marks };
}

/** Host CPU of one call with a large answer. */
async function big(subject, connected) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await subject.big(connected, settings.bytes);
  return { total: cpu(before), wall: performance.now() - startedAt };
}

/** The most memory that so many conversations at once take, and what the process had before them, in MiB. */
async function conversations(subject, connected) {
  const before = process.memoryUsage().rss;
  const all = Array.from({ length: settings.conversations }, () => subject.ask(connected, "go", settings));
  await Promise.all(all);
  return { before: before / 1024 / 1024, peak: process.resourceUsage().maxRSS / 1024 };
}

const jobs = {
  turns,
  big,
  conversations,
  ask: (subject, connected) => subject.ask(connected, "go", settings),
  connect: () => ({}),
};
const subject = await import(`./${kind}.mjs`);
const startedAt = performance.now();
const connected = await subject.connect(settings.servers, { stateFolder, model: settings.model });
if (job !== "ask") await subject.ready?.(connected);
const connectMs = performance.now() - startedAt;
const measured = await jobs[job](subject, connected);
console.log(JSON.stringify({ ...(job === "ask" ? {} : measured), connectMs }));
await subject.close(connected);
if (settings.stateFolder === undefined) rmSync(stateFolder, { recursive: true, force: true });
process.exit(0);
