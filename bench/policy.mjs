// Time of one decision among many rules and grants: node policy.mjs JSON. Prints one line of JSON, in µs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { own, rules: count } = JSON.parse(process.argv[2]);
const { createConsent, createGrantFiles, systemClock } = await import(own);

const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const toolOf = (index) => ({
  alias: `s${index % 20}__tool_${index}`,
  route: { server: `s${index % 20}`, tool: `tool_${index}` },
  definition: { name: `tool_${index}`, description: "", inputSchema: { type: "object" }, annotations: {} },
  definitionHash: `definition-${index}`,
  configHash: "config",
  trusted: false,
  listed: true,
});
const callOf = (tool, path) => {
  const values = Object.freeze({ path });
  return { id: "call", tool, arguments: values, argumentsJson: JSON.stringify(values), warnings: [] };
};
const tools = Array.from({ length: count }, (_, index) => toolOf(index));

/** A few kinds of rules, as a policy grows; none of them decides the calls, so that all are looked at. */
const kinds = [
  (index) => `deny s${index % 20}/tool_${index} path=/etc/${index}/**`,
  (index) => `deny s${index % 20}/* regex(path)=^/private-${index}/`,
  (index) => `ask */tool_${index} under(path)=/secret/${index}`,
  (index) => `deny s${index % 20}/tool_* path=**/.env-${index}`,
  (index) => `allow other-${index}/* host(url)=*.example.com`,
];
const mixed = Array.from({ length: count }, (_, index) => kinds[index % kinds.length](index));
const allOfOne = Array.from({ length: count }, (_, index) => `deny s0/tool_0 path=/etc/${index}/**`);

const folder = mkdtempSync(join(tmpdir(), "drawbridge-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const store = createGrantFiles(folder, new Uint8Array(32), systemClock);
const settings = (rules) => ({
  rules,
  approve: () => {},
  clock: systemClock,
  lasting: { store: () => store, mayLast: () => true },
});
const context = {
  runId: "run",
  turn: 1,
  principal: "ann",
  grants: { answers: new Map() },
  signal: new AbortController().signal,
  emit: () => {},
  origin: "model",
};

/** A person allows every tool for good: the grants are real ones. */
async function allowAll() {
  const approve = (request) => {
    for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "always" });
  };
  const consent = createConsent({ ...settings([]), approve });
  for (let from = 0; from < count; from += 50) {
    const calls = tools.slice(from, from + 50).map((tool) => callOf(tool, "/home/x"));
    await Promise.all(consent.decide(calls, context));
  }
}

/** The median of each tool's first decision, and of its later ones, in µs. */
async function timesOf(rules, chosen) {
  const first = [];
  const later = [];
  for (let round = 0; round < 12; round++) {
    const consent = createConsent(settings(rules));
    for (let pass = 0; pass < 3; pass++) {
      for (const [index, tool] of chosen.entries()) {
        const call = callOf(tool, `/home/ann/projects/drawbridge/src/file-${index}.ts`);
        const from = performance.now();
        const [deciding] = consent.decide([call], context);
        const took = (performance.now() - from) * 1000;
        const verdict = await deciding;
        if (verdict.type !== "approved" || verdict.approved.decision.by.type !== "grant")
          throw new Error(`${tool.alias} was not allowed by its grant`);
        if (round > 1) (pass === 0 ? first : later).push(took);
      }
    }
  }
  return { first: median(first), later: median(later) };
}

await allowAll();
const some = tools.filter((_, index) => index % 10 === 0);
const started = performance.now();
createConsent(settings(mixed));
const startMs = performance.now() - started;
const { first, later } = await timesOf(mixed, some);
const one = await timesOf(allOfOne, Array(100).fill(tools[0]));
console.log(JSON.stringify({ startMs, first, later, one: one.later }));
