import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockHolder, takeLock } from "./process-lock.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  path = join(folder, "x.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lockOf(holder: object): void {
  writeFileSync(path, JSON.stringify({ host: hostname(), started: "", token: "lock_1", ...holder }));
}

test("a lock is held by one at a time, says by whom, and leaves nothing behind", () => {
  const release = takeLock(path);
  expect(typeof release).toBe("function");
  expect(takeLock(path)).toMatchObject({ pid: process.pid });
  expect(lockHolder(path)).toMatchObject({ pid: process.pid });
  if (typeof release === "function") release();
  expect(readdirSync(folder)).toEqual([]);
  expect(typeof takeLock(path)).toBe("function");
});

test("the lock of a process that is no more, or whose id another process has now, is taken over", () => {
  // Process ids end far below this number.
  for (const holder of [{ pid: 2 ** 30 }, { pid: process.pid }, { pid: process.ppid, started: "1" }]) {
    lockOf(holder);
    expect(lockHolder(path)).toBeNull();
    const release = takeLock(path);
    expect(typeof release).toBe("function");
    if (typeof release === "function") release();
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("a holder on another machine cannot be asked, so it holds the lock", () => {
  lockOf({ pid: 2 ** 30, host: "elsewhere" });
  expect(takeLock(path)).toMatchObject({ host: "elsewhere" });
});

test("a file that names nobody holds nothing", () => {
  for (const text of ["", "{", '{"pid":-1}', '{"pid":"x","host":"","started":"","token":""}']) {
    writeFileSync(path, text);
    expect(lockHolder(path)).toBeNull();
    const release = takeLock(path);
    if (typeof release === "function") release();
    else expect.unreachable();
  }
});
