import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../util/clock.ts";
import { openFileStores } from "./file-stores.ts";
import { takeLock } from "./process-lock.ts";
import { purgeStores } from "./purge.ts";
import { verifyAudit } from "./verify.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "purge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("runs and outputs that nothing was added to since then are removed; newer ones and the audit log stay", async () => {
  const stores = openFileStores(folder, { clock: systemClock });
  for (const id of ["old", "new"]) {
    const journal = await stores.openJournal(id, "me");
    await journal.append({ kind: "run_started", at: "", run: id, model: "", system: "" });
    await stores.spill.put(id, "text");
  }
  await (await stores.openAudit("me")).append({ kind: "run_ended", run: "old", stop: "answered", turns: 1 });
  await stores.close();
  for (const path of ["runs/old.jsonl", "spill/old"]) utimesSync(join(folder, path), 1, 1);
  expect(await purgeStores(folder, 2_000)).toEqual({ runs: 1, spilled: 1 });
  const left = ["runs/old.jsonl", "runs/new.jsonl", "spill/old", "spill/new"];
  expect(left.map((path) => existsSync(join(folder, path)))).toEqual([false, true, false, true]);
  expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 2 });
  expect(await purgeStores(join(folder, "none"), 2_000)).toEqual({ runs: 0, spilled: 0 });
});

test("what a killed process left beside its journals goes as well; a lock that is held keeps its old journal", async () => {
  const runs = join(folder, "runs");
  mkdirSync(runs);
  for (const name of ["a.lock.lock_1", "b.jsonl"]) {
    writeFileSync(join(runs, name), "");
    utimesSync(join(runs, name), 1, 1);
  }
  const release = takeLock(join(runs, "b.lock"));
  expect(await purgeStores(folder, 2_000)).toEqual({ runs: 0, spilled: 0 });
  expect(readdirSync(runs).sort()).toEqual(["b.jsonl", "b.lock"]);
  if (typeof release === "function") release();
  expect(await purgeStores(folder, 2_000)).toEqual({ runs: 1, spilled: 0 });
  expect(readdirSync(runs)).toEqual([]);
});
