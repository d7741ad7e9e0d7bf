import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadHashKey } from "./hash-key.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hash-key-"));
  path = join(folder, "state/hash-key");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const posix = test.skipIf(process.platform === "win32");

test("the key is made once, whoever asks first, and another place has another", async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadHashKey(path)));
  expect(new Set(keys.map((key) => Buffer.from(key).toString("hex"))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(readdirSync(join(folder, "state"))).toEqual(["hash-key"]);
  expect(await loadHashKey(join(folder, "other/hash-key"))).not.toEqual(keys[0]);
});

posix("the key is for its owner alone, and is made so again when it was not", async () => {
  await loadHashKey(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  await loadHashKey(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

posix("a symbolic link in the place of the key is refused", async () => {
  writeFileSync(join(folder, "target"), Buffer.alloc(32));
  path = join(folder, "hash-key");
  symlinkSync(join(folder, "target"), path);
  await expect(loadHashKey(path)).rejects.toMatchObject({ code: "store_failed" });
});

test("a key of another length is refused with what to do", async () => {
  path = join(folder, "hash-key");
  writeFileSync(path, "short");
  await expect(loadHashKey(path)).rejects.toThrow("remove it to make a new key");
});
