import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import type { AuditEntry } from "../types/audit.ts";
import { openFileStores } from "./file-stores.ts";
import { verifyAudit } from "./verify.ts";

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "audit-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const clock = createTestClock(Date.UTC(2026, 10, 30, 8, 33));

function entry(turns: number): AuditEntry {
  return { kind: "run_ended", run: "run_1", stop: "answered", turns };
}

/** Writes entries as one process would, and returns the path of its file. */
async function writeLog(turns: readonly number[], principal = "me"): Promise<string> {
  const before = new Set(logs());
  const stores = openFileStores(folder, { clock });
  const sink = await stores.openAudit(principal);
  await Promise.all(turns.map((turn) => sink.append(entry(turn))));
  await stores.close();
  return logs().find((path) => !before.has(path)) ?? "";
}

function logs(): string[] {
  const audit = join(folder, "audit");
  if (!existsSync(audit)) return [];
  return readdirSync(audit)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(audit, name));
}

function recordsOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("stores that are not used touch nothing", async () => {
  const stores = openFileStores(folder, { clock });
  await stores.openAudit("me");
  await stores.openJournal("run_1", "me");
  await stores.close();
  expect(existsSync(folder)).toBe(false);
});

test("a log opens with who writes it, then holds each entry with its number, time and hash", async () => {
  const path = await writeLog([1]);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const time = { at: "2026-11-30T08:33:00.000Z", mono: clock.now() };
  const [opened, ended] = recordsOf(path);
  expect(opened).toEqual({
    v: 1,
    seq: 1,
    prev: "0".repeat(64),
    ...time,
    kind: "log_opened",
    file: expect.stringMatching(/^20261130T083300Z_[0-9a-f]{16}$/),
    principal: "me",
    pid: process.pid,
    follows: null,
    hash,
  });
  expect(ended).toEqual({ v: 1, seq: 2, prev: opened?.hash, ...time, ...entry(1), hash });
  expect(await verifyAudit(folder)).toEqual({
    ok: true,
    files: [{ path, records: 2, ok: true }],
    records: 2,
  });
});

test.skipIf(process.platform === "win32")("files and folders are for their owner alone", async () => {
  const path = await writeLog([1]);
  const heads = join(folder, "audit", "heads");
  const mode = (at: string) => (statSync(at).mode & 0o777).toString(8);
  expect([folder, join(folder, "audit"), heads].map(mode)).toEqual(["700", "700", "700"]);
  expect([path, join(heads, readdirSync(heads)[0] ?? "")].map(mode)).toEqual(["600", "600"]);
});

test("each file continues the newest head of its principal, and of nobody else", async () => {
  const first = await writeLog([1, 2]);
  const other = await writeLog([1], "somebody else");
  const second = await writeLog([3]);
  const name = first.slice(-"20261130T083300Z_0123456789abcdef.jsonl".length, -".jsonl".length);
  expect(recordsOf(second)[0]).toMatchObject({
    follows: { file: name, seq: 3 },
    prev: recordsOf(first)[2]?.hash,
  });
  expect(recordsOf(other)[0]).toMatchObject({ follows: null });
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 7 });
});

test("a hundred entries at once are one chain in the order they came", async () => {
  const stores = openFileStores(folder, { clock });
  const sinks = [await stores.openAudit("me"), await stores.openAudit("me")];
  await Promise.all(Array.from({ length: 100 }, (_, turn) => sinks[turn % 2]?.append(entry(turn))));
  const [path = ""] = logs();
  expect(
    recordsOf(path)
      .slice(1)
      .map((record) => record.turns),
  ).toEqual(Array.from({ length: 100 }, (_, turn) => turn));
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 101 });
  await stores.close();
});

test("a torn last line is noted, not taken for tampering, and the next file continues the last good record", async () => {
  const first = await writeLog([1, 2]);
  appendFileSync(first, '{"v":1,"seq":4,"pre');
  const note = "Its last line is torn: its process ended while writing it, or is writing it now.";
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, files: [{ records: 3, note }] });
  const second = await writeLog([3]);
  expect(recordsOf(second)[0]).toMatchObject({ follows: { seq: 3 } });
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 5 });
});

test("records whose process died before it noted its head are continued and from then on kept", async () => {
  const first = await writeLog(Array.from({ length: 400 }, (_, turn) => turn));
  const heads = join(folder, "audit", "heads");
  const headsFile = join(heads, readdirSync(heads)[0] ?? "");
  const newest = recordsOf(first);
  const stale = readFileSync(headsFile, "utf8")
    .replace('"seq":401', '"seq":399')
    .replace(String(newest[400]?.hash), String(newest[398]?.hash));
  writeFileSync(headsFile, stale);
  const second = await writeLog([1]);
  expect(recordsOf(second)[0]).toMatchObject({ follows: { seq: 401 }, prev: newest[400]?.hash });
  writeFileSync(first, `${readFileSync(first, "utf8").split("\n").slice(0, 400).join("\n")}\n`);
  expect(await verifyAudit(folder)).toMatchObject({ ok: false });
});

test("a log that cannot be opened rejects with audit_failed, and is written once its place is repaired", async () => {
  const stores = openFileStores(folder, { clock });
  const sink = await stores.openAudit("me");
  writeFileSync(folder, "in the way");
  await expect(sink.append(entry(1))).rejects.toMatchObject({ code: "audit_failed" });
  rmSync(folder);
  // Not at once: each try leaves something behind where the place is only nearly full.
  await expect(sink.append(entry(2))).rejects.toMatchObject({ code: "audit_failed" });
  await clock.advance(1_000);
  await sink.append(entry(2));
  await stores.close();
  expect(recordsOf(logs()[0] ?? "")[0]).toMatchObject({
    kind: "log_opened",
    lost: { entries: 2, reason: expect.stringContaining("ENOTDIR") },
  });
  await expect(sink.append(entry(3))).rejects.toMatchObject({ code: "audit_failed" });
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 2 });
});
