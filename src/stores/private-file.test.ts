import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../util/clock.ts";
import { loadHashKey } from "./hash-key.ts";
import { createMemoFile } from "./memo-file.ts";
import { lockHolder } from "./process-lock.ts";
import { readLines } from "./read-lines.ts";
import { readLinesBackward } from "./read-lines-backward.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-pipe-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

async function count(lines: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _ of lines) found += 1;
  return found;
}

test.skipIf(process.platform === "win32")(
  "a pipe in the place of a file that is kept is waited for by nobody",
  async () => {
    expect(await count(readLines(pipe("log")))).toBe(0);
    expect(await count(readLinesBackward(pipe("newest")))).toBe(0);
    expect(createMemoFile(pipe("memo"), systemClock).get("a")).toBeUndefined();
    expect(lockHolder(pipe("lock"))).toBeNull();
    await expect(loadHashKey(pipe("hash-key"))).rejects.toMatchObject({ code: "store_failed" });
  },
);
