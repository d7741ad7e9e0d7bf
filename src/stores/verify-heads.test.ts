import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { chainLine } from "../util/hash-chain.ts";
import { headSigner, makeSigningKey, signatureCheck } from "./audit-signature.ts";
import { openFileStores } from "./file-stores.ts";
import { verifyAudit } from "./verify.ts";
import { currentHeads } from "./verify-heads.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-heads-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createTestClock(Date.UTC(2026, 10, 30));

/** Writes a file of an opening and entries with these numbers; returns its path. */
async function write(turns: readonly number[], sign?: string): Promise<string> {
  await clock.advance(1_000);
  const before = new Set(logs());
  const stores = openFileStores(folder, { clock });
  const sink = await stores.openAudit("me", sign === undefined ? {} : { sign });
  for (const turn of turns) await sink.append({ kind: "run_ended", run: "r", stop: "answered", turns: turn });
  await stores.close();
  return logs().find((path) => !before.has(path)) ?? "";
}

function logs(): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /^audit\/[^/]+\.jsonl$/.test(name)).map((name) => join(folder, name));
}

function headsFile(): string {
  const heads = join(folder, "audit/heads");
  return join(heads, readdirSync(heads)[0] ?? "");
}

/** What the account's owner can do: the last records of a file are taken away or changed, and its head is set to fit. */
function forge(
  path: string,
  change: (records: Record<string, unknown>[]) => Record<string, unknown>[],
): void {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const old = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  let last = { seq: 0, hash: String(old[0]?.prev) };
  const forged = change(old).map(({ v: _, seq: __, prev: ___, hash: ____, ...record }) => {
    const { line, position } = chainLine(last, record);
    last = position;
    return line;
  });
  writeFileSync(path, `${forged.join("\n")}\n`);
  const head = { file: old[0]?.file, ...last };
  const heads = readFileSync(headsFile(), "utf8").split("\n");
  const changed = heads.map((line) => (line.includes(String(head.file)) ? JSON.stringify(head) : line));
  writeFileSync(headsFile(), changed.join("\n"));
}

const problemsOf = async (settings: Parameters<typeof verifyAudit>[1]) =>
  (await verifyAudit(folder, settings)).files.filter(({ ok }) => !ok);

test("heads kept elsewhere find what somebody changed who could write the heads as well", async () => {
  const first = await write([1, 2, 3]);
  const second = await write([4, 5]);
  const kept = await currentHeads(folder);
  expect(kept.map(({ seq }) => seq)).toEqual([4, 3]);
  await write([6]);
  expect(await verifyAudit(folder, { kept })).toMatchObject({ ok: true, records: 9 });
  forge(second, (records) => records.slice(0, 2));
  // The third file still names what was cut off.
  expect(await problemsOf({})).toHaveLength(1);
  rmSync(logs().find((path) => path !== first && path !== second) ?? "");
  writeFileSync(headsFile(), readFileSync(headsFile(), "utf8").trimEnd().split("\n").slice(0, 2).join("\n"));
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ kept })).toMatchObject([
    {
      path: second,
      firstBadSeq: 3,
      problem: expect.stringContaining("names record 3 of it, which is not there"),
    },
  ]);
});

test("heads kept elsewhere find a record that was changed, with everything behind it written anew", async () => {
  const path = await write([1, 2, 3]);
  const kept = await currentHeads(folder);
  forge(path, (records) => records.map((record) => (record.turns === 2 ? { ...record, turns: 9 } : record)));
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ kept })).toMatchObject([
    { path, firstBadSeq: 4, problem: expect.stringContaining("written anew") },
  ]);
});

test("heads kept elsewhere find a log that is gone altogether", async () => {
  const path = await write([1]);
  const kept = await currentHeads(folder);
  rmSync(join(folder, "audit"), { recursive: true });
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 0 });
  expect(await problemsOf({ kept })).toMatchObject([{ path, firstBadSeq: 1 }]);
});

function newKey(): { path: string; publicKey: string } {
  const path = join(folder, `key-${clock.now()}.pem`);
  return { path, publicKey: makeSigningKey(path) };
}

test("a signed log is good for its key, and for no other", async () => {
  const { path, publicKey } = newKey();
  await write([1, 2], path);
  await write([3], path);
  expect(await verifyAudit(folder, { isSigned: signatureCheck(publicKey) })).toMatchObject({ ok: true });
  await clock.advance(1);
  const other = signatureCheck(newKey().publicKey);
  expect(await problemsOf({ isSigned: other })).toMatchObject([
    { problem: "The signature of its head is not that of this key." },
    { problem: "The signature of its head is not that of this key." },
  ]);
});

test("what is forged by somebody without the key is found, whatever they write over", async () => {
  const { path: key, publicKey } = newKey();
  const path = await write([1, 2, 3], key);
  const isSigned = signatureCheck(publicKey);
  forge(path, (records) => records.slice(0, 3));
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ isSigned })).toMatchObject([
    { path, problem: "Its head is not signed, and no signed file goes on from it." },
  ]);
});

/** Sets the head of a file to one of its records, or to none, as somebody does who has kept an older one. */
function setHead(path: string, seq: number, sign: ReturnType<typeof headSigner> | null): void {
  const file = basename(path, ".jsonl");
  const hash = seq === 0 ? "0".repeat(64) : recordsIn(path)[seq - 1]?.hash;
  const head = { file, seq, hash: String(hash) };
  const text = JSON.stringify(sign === null ? head : { ...head, sig: sign(head) });
  const heads = readFileSync(headsFile(), "utf8").split("\n");
  writeFileSync(headsFile(), heads.map((line) => (line.includes(file) ? text : line)).join("\n"));
}

function recordsIn(path: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** No process has such a number. */
const gone = 2 ** 30;

test("records behind a head that was signed once are not accepted, nor those of a head that was taken away", async () => {
  const { path: key, publicKey } = newKey();
  const path = await write([1, 2, 3], key);
  const isSigned = signatureCheck(publicKey);
  forge(path, (records) => records.map((record) => ({ ...record, pid: gone })));
  setHead(path, 2, headSigner(key));
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ isSigned })).toMatchObject([
    { path, firstBadSeq: 3, problem: expect.stringContaining("no signature covers them") },
  ]);
  // Who writes the first record anew can name any process in it.
  forge(path, (records) => records.map((record) => ({ ...record, pid: process.pid })));
  setHead(path, 0, null);
  expect(await problemsOf({ isSigned })).toMatchObject([{ path, firstBadSeq: 1 }]);
});

test("records that a running process has not signed yet are a note", async () => {
  const { path: key, publicKey } = newKey();
  const path = await write([1, 2, 3], key);
  setHead(path, 2, headSigner(key));
  const { files } = await verifyAudit(folder, { isSigned: signatureCheck(publicKey) });
  expect(files).toMatchObject([{ ok: true, uncovered: 2, note: expect.stringContaining("was writing") }]);
});

test("what was written before there was a key is covered once a signed file goes on from it", async () => {
  const first = await write([1, 2]);
  const { path: key, publicKey } = newKey();
  const isSigned = signatureCheck(publicKey);
  expect(await problemsOf({ isSigned })).toHaveLength(1);
  await write([3]);
  await write([4], key);
  expect(await problemsOf({ isSigned })).toEqual([]);
  forge(first, (records) => records.map((record) => ({ ...record, at: "2000-01-01T00:00:00.000Z" })));
  expect((await problemsOf({ isSigned })).length).toBeGreaterThan(0);
});

test("a key is for its owner alone, is never overwritten, and must be one that can sign", () => {
  const { path } = newKey();
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(() => makeSigningKey(path)).toThrow("EEXIST");
  const open = join(folder, "open.pem");
  writeFileSync(open, readFileSync(path), { mode: 0o644 });
  const rsa = join(folder, "rsa.pem");
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(rsa, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const text = join(folder, "text.pem");
  writeFileSync(text, "no key", { mode: 0o600 });
  expect(() => headSigner(open)).toThrow("can be read by other accounts");
  expect(() => headSigner(rsa)).toThrow("is no Ed25519 key");
  expect(() => headSigner(text)).toThrow("is no private key");
  expect(() => headSigner(join(folder, "none"))).toThrow("cannot be read");
  expect(() => signatureCheck("text")).toThrow("no public key");
  expect(() => signatureCheck(String(publicKey.export({ type: "spki", format: "pem" })))).toThrow("Ed25519");
});

/** Puts a record with right hashes behind the last one. */
function addRecord(path: string): void {
  const text = readFileSync(path, "utf8");
  const { seq, hash } = JSON.parse(text.split("\n").at(-2) ?? "");
  const { line } = chainLine({ seq, hash }, { kind: "run_ended", run: "r", stop: "forged", turns: 1 });
  writeFileSync(path, `${text}${line}\n`);
}

test("records behind a head are told: their process was killed, or somebody added them", async () => {
  const path = await write([1, 2]);
  addRecord(path);
  const { ok, files } = await verifyAudit(folder);
  expect([ok, files[0]?.note]).toEqual([true, expect.stringContaining("One record stands behind its head")]);
  expect(files[0]?.uncovered).toBe(1);
  await write([3]);
  expect((await verifyAudit(folder)).files[0]).not.toHaveProperty("uncovered");
});

test("what stands behind the record that another file goes on from was added, once its process is gone", async () => {
  const path = await write([1, 2]);
  const next = await write([3]);
  addRecord(path);
  addRecord(path);
  // These files are this very process's, which still runs.
  expect((await verifyAudit(folder)).files[0]).toMatchObject({ ok: true, uncovered: 2 });
  const kill = process.kill;
  onTestFinished(() => {
    process.kill = kill;
  });
  const answers = (code: string) => {
    process.kill = () => {
      throw Object.assign(new Error(code), { code });
    };
  };
  answers("EPERM");
  expect(await problemsOf({})).toEqual([]);
  answers("ESRCH");
  expect(await problemsOf({})).toEqual([
    {
      ...{ path, records: 5, ok: false, firstBadSeq: 4, uncovered: 2 },
      problem: `2 records stand behind record 3, from which ${basename(next)} goes on, and no head covers them: they were added, or writing them failed.`,
    },
  ]);
});

test("whatever is done to the lines of a file by somebody who cannot write the heads is found", async () => {
  const paths = [await write([1, 2, 3]), await write([4, 5, 6]), await write([7, 8, 9])];
  const contents = paths.map((path) => readFileSync(path, "utf8"));
  const place = fc.tuple(fc.nat(2), fc.nat(3), fc.nat(3), fc.nat(2));
  const act = fc.constantFrom("remove", "swap", "repeat", "copy", "cut");
  await fc.assert(
    fc.asyncProperty(place, act, async ([file, from, to, other], what) => {
      const lines = (contents[file] ?? "").split("\n").slice(0, -1);
      const foreign = (contents[other] ?? "").split("\n")[to] ?? "";
      const changed = [...lines];
      const [line = ""] = changed.splice(from, 1);
      if (what === "swap") changed.splice(to, 0, line);
      if (what === "repeat") changed.splice(from, 0, line, line);
      if (what === "copy") changed.splice(from, 0, foreign);
      if (what === "cut") changed.length = from;
      const text = changed.map((one) => `${one}\n`).join("");
      fc.pre(text !== contents[file]);
      writeFileSync(paths[file] ?? "", text);
      const problems = await problemsOf({});
      writeFileSync(paths[file] ?? "", contents[file] ?? "");
      expect(problems.map(({ path }) => path)).toContain(paths[file]);
    }),
    { numRuns: 60 },
  );
});
