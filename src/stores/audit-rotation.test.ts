import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import type { AuditEntry } from "../types/audit.ts";
import type { AuditFileSettings } from "../types/stores.ts";
import { openFileStores } from "./file-stores.ts";
import { verifyAudit } from "./verify.ts";

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "audit-rotation-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const clock = createTestClock(Date.UTC(2026, 10, 30));

const entry = (turns: number): AuditEntry => ({
  kind: "run_ended",
  run: "r".repeat(200),
  stop: "answered",
  turns,
});

interface LogFile {
  readonly path: string;
  readonly records: readonly Record<string, unknown>[];
}

function allLogs(): readonly LogFile[] {
  const audit = join(folder, "audit");
  return readdirSync(audit)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => {
      const path = join(audit, name);
      const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
      return { path, records: lines.map((line) => JSON.parse(line)) };
    });
}

const followedBy = ({ records }: LogFile): unknown => (records[0]?.follows as { file: string } | null)?.file;

/** The log files in the order in which they follow each other. */
function logs(): readonly LogFile[] {
  const sorted: LogFile[] = [];
  const files = allLogs();
  for (let last: unknown; sorted.length < files.length; last = sorted.at(-1)?.records[0]?.file) {
    const next = files.find((file) => followedBy(file) === last);
    if (next === undefined) break;
    sorted.push(next);
  }
  return sorted;
}

async function append(turns: readonly number[], settings: AuditFileSettings = {}): Promise<void> {
  const stores = openFileStores(folder, { clock });
  const sink = await stores.openAudit("me", settings);
  await Promise.all(turns.map((turn) => sink.append(entry(turn))));
  await stores.close();
}

test("a file that is long enough is followed by a new one: no entry is lost, moved or written twice", async () => {
  const stores = openFileStores(folder, { clock });
  const sink = await stores.openAudit("me", { rotateBytes: 2_000 });
  const turns = Array.from({ length: 40 }, (_, turn) => turn);
  for (let from = 0; from < turns.length; from += 4) {
    await Promise.all(turns.slice(from, from + 4).map((turn) => sink.append(entry(turn))));
  }
  await stores.close();
  const files = logs();
  expect(files.length).toBeGreaterThan(4);
  const written = files.flatMap(({ records }) => records.slice(1).map((record) => record.turns));
  expect(written).toEqual(turns);
  for (const [index, { records }] of files.slice(1).entries()) {
    expect(records[0]?.prev).toBe(files[index]?.records.at(-1)?.hash);
  }
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 40 + files.length });
});

test("a file in the middle that is removed with its head is missed by the one after it", async () => {
  await append([1, 2, 3], { rotateBytes: 300 });
  await append([4, 5], { rotateBytes: 300 });
  const [first] = logs();
  const heads = join(folder, "audit", "heads", readdirSync(join(folder, "audit", "heads"))[0] ?? "");
  writeFileSync(heads, readFileSync(heads, "utf8").split("\n").slice(1).join("\n"));
  rmSync(first?.path ?? "");
  expect(await verifyAudit(folder)).toMatchObject({ ok: false });
});

const damages: readonly (readonly [what: string, seq: number, damage: (path: string) => void])[] = [
  ["changed", 3, (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"turns":2', '"turns":9'))],
  [
    "cut",
    3,
    (path) => writeFileSync(path, `${readFileSync(path, "utf8").split("\n").slice(0, 2).join("\n")}\n`),
  ],
  ["removed", 1, (path) => rmSync(path)],
  ["emptied", 1, (path) => writeFileSync(path, "")],
];

for (const [what, seq, damage] of damages) {
  test(`a log that was ${what} is named with its first bad record, kept, and a new file says so`, async () => {
    await append([1, 2, 3]);
    const [{ path } = { path: "" }] = logs();
    damage(path);
    const kept = what === "removed" ? null : readFileSync(path, "utf8");
    const problems: string[] = [];
    await append([4], { onProblem: (sentence) => problems.push(sentence) });
    expect(problems).toEqual([expect.stringContaining(`from record ${seq} on`)]);
    expect(problems[0]).toContain(path);
    if (kept !== null) expect(readFileSync(path, "utf8")).toBe(kept);
    const report = await verifyAudit(folder);
    expect(report.files.filter(({ ok }) => !ok)).toMatchObject([{ path, firstBadSeq: seq }]);
    const later = report.files.find(({ ok }) => ok);
    expect(JSON.parse(readFileSync(later?.path ?? "", "utf8").split("\n", 1)[0] ?? "")).toMatchObject({
      follows: { seq: 4 },
      found: { firstBadSeq: seq, problem: expect.any(String) },
    });
    // The one after that follows a good file: it is told once.
    await append([5], { onProblem: (sentence) => problems.push(sentence) });
    expect(problems).toHaveLength(1);
  });
}

test("half a line of a killed process is no damage", async () => {
  await append([1, 2]);
  appendFileSync(logs()[0]?.path ?? "", '{"v":1,"seq":4,"prev":"00');
  const problems: string[] = [];
  await append([3], { onProblem: (sentence) => problems.push(sentence) });
  expect(problems).toEqual([]);
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 5 });
});

test.skipIf(process.platform !== "linux")(
  "a log that cannot be written refuses every entry, says so, and nothing is taken for written",
  async () => {
    const stores = openFileStores(folder, { clock });
    const sink = await stores.openAudit("me");
    await sink.append(entry(1));
    await stores.close();
    // Nothing is written through a link, wherever it leads.
    const heads = join(folder, "audit", "heads");
    const [name = ""] = readdirSync(heads);
    rmSync(join(heads, name));
    symlinkSync("/dev/full", join(heads, name));
    const later = openFileStores(folder, { clock });
    const full = await later.openAudit("me");
    const failing = { code: "audit_failed", message: expect.stringMatching(/ELOOP.*Free or repair/) };
    await expect(full.append(entry(2))).rejects.toMatchObject(failing);
    await expect(full.append(entry(3))).rejects.toMatchObject(failing);
    rmSync(join(heads, name));
    await clock.advance(1_000);
    await full.append(entry(4));
    await later.close();
    expect(statSync(join(heads, name)).isFile()).toBe(true);
    const last = allLogs().find(({ records }) => records.at(-1)?.turns === 4)?.records ?? [];
    expect(last.map(({ kind, turns }) => [kind, turns])).toEqual([
      ["log_opened", undefined],
      ["run_ended", 4],
    ]);
    expect(last[0]).toMatchObject({ lost: { entries: 2, reason: expect.stringContaining("ELOOP") } });
  },
);
