import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { csvCell, csvLine } from "../../src/cli/commands/audit/csv.ts";
import type { AuditedCall } from "../../src/index.ts";
import { nativeHash } from "../../src/stores/native-hash.ts";
import { type ChainPosition, chainLine, noHash } from "../../src/util/hash-chain.ts";
import { drawbridge, environment, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const audit = (...words: string[]) => drawbridge(["audit", ...words], home);

beforeAll(async () => {
  const server = ["--server", fixture("plain")];
  await drawbridge(['Delete the note "a.txt"', ...server], home);
  await drawbridge(["call", "notes", "read_note", "path=b.txt", ...server], home);
});

/** Cells of RFC 4180 text, row by row. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (
    let found = cell.exec(text);
    found !== null && cell.lastIndex <= text.length;
    found = cell.exec(text)
  ) {
    const [, raw = "", end = ""] = found;
    rows.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === "\r\n") rows.push([]);
    if (cell.lastIndex === text.length) break;
  }
  return rows.slice(0, -1);
}

test("the export has each call whole: as JSON a line, and as CSV with a line of names", async () => {
  const [json, csv] = await Promise.all([audit("export"), audit("export", "--format", "csv")]);
  const calls = json.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditedCall);
  expect(calls.map(({ decided }) => decided.kind)).toEqual(["call_intended", "call_denied"]);
  const [names = [], ...rows] = readCsv(csv.stdout);
  const tables = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  expect(rows.map(({ length }) => length)).toEqual([names.length, names.length]);
  expect(tables[0]).toMatchObject({
    server: "notes",
    tool: "read_note",
    decision: "allow",
    decided_by: "direct",
    arguments: '{"path":"b.txt"}',
    outcome: "answered",
    executed: "yes",
    principal: calls[0]?.principal,
    definition_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    config_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(tables[1]).toMatchObject({ decision: "deny", outcome: "not_run", tool: "delete_note" });
});

test("calls are chosen by tool, end, outcome and server", async () => {
  const rows = async (...words: string[]) => (await audit("export", ...words)).stdout.split("\n").length - 1;
  const counts = await Promise.all([
    rows("--tool", "read_note"),
    rows("--outcome", "answered"),
    rows("--outcome", "failed"),
    rows("--until", "1h"),
    rows("--since", "1h", "--server", "notes"),
  ]);
  expect(counts).toEqual([1, 1, 0, 0, 2]);
  const wrong = await audit("export", "--format", "xml");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--format takes jsonl or csv") });
});

test("no cell is calculated by a spreadsheet, and every text is read back from its cell", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", 'a"b,c'))),
      (texts) => {
        const [cells = []] = readCsv(csvLine(["x", ...texts]));
        expect(cells).toHaveLength(texts.length + 1);
        for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      },
    ),
    { numRuns: 100 },
  );
  expect(csvCell("=1+1")).toBe("'=1+1");
  expect(csvCell('say "a,b"')).toBe('"say ""a,b"""');
  expect(csvCell("\u001b[2J")).toBe("\\u001b[2J");
  expect(csvCell(-5)).toBe("-5");
});

/** A log of one run with as many calls as make it this long. */
function writeLongLog(state: string, bytes: number): number {
  const file = "20261130T120000Z_0123456789abcdef";
  mkdirSync(join(state, "audit"), { recursive: true });
  const lines: string[] = [];
  let position: ChainPosition = { seq: 0, hash: noHash };
  let written = 0;
  let calls = 0;
  const add = (record: object): void => {
    const made = chainLine(position, { at: "2026-11-30T12:00:00.000Z", mono: 1, ...record }, nativeHash);
    position = made.position;
    lines.push(made.line);
    written += made.line.length;
  };
  add({ kind: "log_opened", file, principal: "ada", pid: 1, follows: null });
  const call = { run: "run_1", turn: 1, server: "s", tool: "t", alias: "s__t" };
  for (; written < bytes; calls += 1) {
    const decided = { arguments: { text: "x".repeat(4_000) }, argumentsHash: "h", by: { type: "direct" } };
    const hashes = { configHash: "c", definitionHash: "d" };
    add({
      kind: "call_intended",
      ...{ ...call, call: `c${calls}`, ...decided, ...hashes, reason: "r", waitedMs: 0, attempt: 1 },
    });
    const ended = { outcome: "answered", executed: "yes", attempt: 1, ms: 1, bytesIn: 1 };
    add({ kind: "call_settled", ...call, call: `c${calls}`, ...ended });
  }
  writeFileSync(join(state, "audit", `${file}.jsonl`), `${lines.join("\n")}\n`);
  return calls;
}

test("a log longer than memory is exported whole, and a reader that leaves ends it", async () => {
  const big = homeFolder();
  const calls = writeLongLog(join(big, "state"), 50 * 1024 * 1024);
  const main = join(root, "dist/cli/main.js");
  const run = (command: string) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const env = { ...environment(big), NODE: process.execPath, MAIN: main };
      const child = spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      child.once("close", (code) => resolve({ code, output: output.trim() }));
    });
  const exported = '"$NODE" --max-old-space-size=40 "$MAIN" audit export';
  expect(await run(`${exported} | wc -l`)).toEqual({ code: 0, output: String(calls) });
  const few = join(big, "few");
  const one = await run(`(${exported}; echo "code $?" >&3) 3>"${few}.code" | head -n 1 | wc -l`);
  expect(one).toEqual({ code: 0, output: "1" });
  expect(readFileSync(`${few}.code`, "utf8").trim()).toBe("code 141");
});
