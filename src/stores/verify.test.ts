import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { chainLine, noHash } from "../util/hash-chain.ts";
import { openFileStores } from "./file-stores.ts";
import { type AuditFileReport, verifyAudit } from "./verify.ts";

/** Three files of one principal, each of an opening and four entries; every test gets a copy. */
let original = "";
let folder = "";

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), "verify-"));
  const clock = createTestClock(Date.UTC(2026, 10, 30));
  for (let file = 0; file < 3; file += 1) {
    const stores = openFileStores(original, { clock });
    const sink = await stores.openAudit("me");
    for (let turns = 0; turns < 4; turns += 1) {
      await sink.append({ kind: "run_ended", run: `run_${file}`, stop: "answered – žluť \ufffd", turns });
    }
    await stores.close();
    await clock.advance(1_000);
  }
});
afterAll(() => rmSync(original, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-copy-"));
  cpSync(original, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function logPath(index: number): string {
  const names = readdirSync(join(folder, "audit")).filter((name) => name.endsWith(".jsonl"));
  return join(folder, "audit", names.sort()[index] ?? "");
}

function headsFile(): string {
  const heads = join(folder, "audit", "heads");
  return join(heads, readdirSync(heads)[0] ?? "");
}

async function problems(): Promise<readonly AuditFileReport[]> {
  const report = await verifyAudit(folder);
  expect(report.ok).toBe(report.files.every((file) => file.ok));
  return report.files.filter((file) => !file.ok);
}

test("a log as it was written is good; a folder without one is, too", async () => {
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 15 });
  expect(await verifyAudit(join(folder, "none"))).toEqual({ ok: true, files: [], records: 0 });
});

test("a change of any byte of any file is found in that file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.nat(), fc.integer({ min: 1, max: 255 }), async (index, place, flip) => {
      const path = logPath(index);
      const good = readFileSync(path);
      const bad = Buffer.from(good);
      const at = place % bad.length;
      bad[at] = (bad[at] ?? 0) ^ flip;
      writeFileSync(path, bad);
      const record = good.subarray(0, at).filter((byte) => byte === 10).length + 1;
      expect((await problems())[0]).toMatchObject({ path, firstBadSeq: record });
      writeFileSync(path, good);
    }),
    { numRuns: 60 },
  );
});

test("bytes that only read like the ones written are found", async () => {
  const path = logPath(1);
  const good = readFileSync(path);
  const at = good.indexOf(Buffer.from("\ufffd"));
  writeFileSync(path, Buffer.concat([good.subarray(0, at), Buffer.from([0xff]), good.subarray(at + 3)]));
  expect(await problems()).toMatchObject([{ path, firstBadSeq: 2 }]);
});

test("a file cut at any byte is found by its head", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.nat(), async (index, place) => {
      const path = logPath(index);
      const good = readFileSync(path);
      const kept = good.subarray(0, place % good.length);
      writeFileSync(path, kept);
      const records = kept.filter((byte) => byte === 10).length;
      expect((await problems())[0]).toMatchObject({ path, records, firstBadSeq: records + 1 });
      writeFileSync(path, good);
    }),
    { numRuns: 40 },
  );
});

test("a file that was removed is missed by its head", async () => {
  const path = logPath(2);
  rmSync(path);
  expect(await problems()).toEqual([
    {
      path,
      records: 0,
      ok: false,
      firstBadSeq: 1,
      problem: "The file was removed; its head says that it holds 5 records.",
    },
  ]);
});

test("a file that was removed with its head is missed by the file after it", async () => {
  const removed = logPath(0);
  const next = logPath(1);
  rmSync(removed);
  writeFileSync(headsFile(), readFileSync(headsFile(), "utf8").split("\n").slice(1).join("\n"));
  expect(await problems()).toMatchObject([
    { path: next, problem: expect.stringContaining("which is not there any more") },
  ]);
});

test("a file without a head was put there", async () => {
  const { line } = chainLine({ seq: 0, hash: noHash }, { kind: "log_opened", file: "forged", follows: null });
  const path = join(folder, "audit", "forged.jsonl");
  writeFileSync(path, `${line}\n`);
  expect(await problems()).toMatchObject([{ path, problem: expect.stringContaining("No head lists") }]);
});

test("files whose names were exchanged are found", async () => {
  const [a, b] = [logPath(0), logPath(1)];
  const aside = `${a}.aside`;
  renameSync(a, aside);
  renameSync(b, a);
  renameSync(aside, b);
  expect((await problems()).map((file) => file.problem)).toEqual([
    "Record 1 is not the opening of this file: the file was renamed or put here.",
    "Record 1 is not the opening of this file: the file was renamed or put here.",
  ]);
});

test("a file written anew with good hashes is found by its head", async () => {
  const path = logPath(2);
  let last = { seq: 0, hash: "" };
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((text, index) => {
      const { v: _, seq: __, prev, hash: ___, ...record } = JSON.parse(text);
      if (index === 0) last = { seq: 0, hash: prev };
      const chained = chainLine(last, index === 3 ? { ...record, stop: "aborted" } : record);
      last = chained.position;
      return chained.line;
    });
  writeFileSync(path, `${lines.join("\n")}\n`);
  expect(await problems()).toMatchObject([{ path, firstBadSeq: 5 }]);
});

test("a heads file with anything but heads is reported, and what it lists is still checked", async () => {
  writeFileSync(headsFile(), `not a head\n${readFileSync(headsFile(), "utf8")}`);
  expect(await problems()).toMatchObject([
    { path: headsFile(), problem: "1 of its heads cannot be read: the file was changed." },
  ]);
});

test("a part of a head that a full disk left does not hide the head after it", async () => {
  const [first, ...rest] = readFileSync(headsFile(), "utf8").split("\n");
  writeFileSync(headsFile(), `${first}\n${rest[0]?.slice(0, 50)}${rest.join("\n")}`);
  expect(await problems()).toEqual([]);
});

test("a head whose process ended before its first record is no missing file", async () => {
  const head = { file: "20261130T000009Z_0123456789abcdef", seq: 0, hash: noHash };
  writeFileSync(headsFile(), `${readFileSync(headsFile(), "utf8")}${JSON.stringify(head)}\n`);
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 15 });
});

test("a head cannot name a file outside of the log's folder", async () => {
  const head = { file: "../../outside", seq: 1, hash: noHash };
  writeFileSync(headsFile(), `${readFileSync(headsFile(), "utf8")}${JSON.stringify(head)}\n`);
  expect((await problems()).map((file) => file.path)).toEqual([headsFile()]);
});
