// The whole fault matrix as a table: npm run faults [-- WORD …]; with words, only the cells that have them all.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cells, faults, impossible, phases, problemOf, transports } from "../test/fixtures/faults/cells.mjs";

const words = process.argv.slice(2);
const nameOf = ({ fault, phase, transport }) => `${fault}, ${phase}, ${transport}`;
const chosen = cells.filter((cell) => words.every((word) => nameOf(cell).includes(word)));
const driver = fileURLToPath(new URL("../test/fixtures/faults/driver.mjs", import.meta.url));

/** Plays all cells in one process. A second after its last word, whatever holds it is a leak; it gets ten. */
function play() {
  const child = spawn(process.execPath, [driver, JSON.stringify(chosen)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  let [rest, said] = ["", ""];
  let patience;
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  child.stdout.on("data", (chunk) => {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop();
    lines.push(...parts.map((part) => JSON.parse(part)));
    if (process.stderr.isTTY) process.stderr.write(`\r${lines.length} of ${chosen.length}`);
    if (lines.at(-1)?.ended) patience ??= setTimeout(() => child.kill("SIGKILL"), 10_000);
  });
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearTimeout(patience);
      if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      resolve({ lines, code, said });
    });
  });
}

const { lines, code, said } = await play();
const problems = new Map();
for (const outcome of lines) if (!outcome.ended) problems.set(nameOf(outcome), problemOf(outcome));
const reasons = new Map();

function mark(cell) {
  const reason = impossible(cell.fault, cell.phase, cell.transport);
  if (reason !== null) {
    if (!reasons.has(reason)) reasons.set(reason, reasons.size + 1);
    return `– ${reasons.get(reason)}`;
  }
  const problem = problems.get(nameOf(cell));
  if (problem === undefined) return chosen.some((one) => nameOf(one) === nameOf(cell)) ? "✗" : "·";
  return problem === null ? "✓" : "✗";
}

for (const transport of transports) {
  console.log(`\n${transport.padEnd(14)}${phases.map((phase) => phase.padEnd(13)).join("")}`);
  for (const fault of Object.keys(faults)) {
    const row = phases.map((phase) => mark({ fault, phase, transport }).padEnd(13));
    console.log(`${fault.padEnd(14)}${row.join("")}`.trimEnd());
  }
}
console.log("");
for (const [reason, number] of reasons) console.log(`– ${number}  cannot be: ${reason}`);
const wrong = chosen.flatMap((cell) => {
  const problem = problems.has(nameOf(cell)) ? problems.get(nameOf(cell)) : "it did not end";
  return problem === null ? [] : [`${nameOf(cell)}: ${problem}`];
});
if (code !== 0) wrong.push(`the process with the hosts did not end by itself (${code ?? "killed"})`);
if (said !== "") wrong.push(`it said: ${said}`);
if (lines.at(-1)?.unhandled !== 0) wrong.push("a rejection was not handled");
for (const line of wrong) console.log(`✗ ${line}`);
// The process itself is one thing that must hold.
console.log(`\n${chosen.length + 1 - wrong.length} passed, ${wrong.length} failed`);
process.exitCode = wrong.length === 0 ? 0 : 1;
