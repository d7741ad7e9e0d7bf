import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { openAppendFile } from "./append-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "append-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fail = (cause: unknown) =>
  new HostError("store_failed", cause instanceof Error ? cause.message : "", { cause });

test("a hundred appends at once are on the disk in order with few flushes", async () => {
  const path = join(folder, "log");
  const flushed: number[] = [];
  const file = openAppendFile({
    path,
    open: "new",
    fail,
    firstLine: "first",
    onFlushed: (_line, lines) => flushed.push(lines),
  });
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  await Promise.all(
    lines.map(async (line) => {
      await file.append(line);
      expect(readFileSync(path, "utf8")).toContain(`${line}\n`);
    }),
  );
  await file.append("one more");
  await file.close();
  expect(readFileSync(path, "utf8")).toBe(`${["first", ...lines, "one more"].join("\n")}\n`);
  expect(flushed).toEqual([101, 102]);
});

test("lines that come while others are flushed are flushed together after them", async () => {
  const flushed: number[] = [];
  const onFlushed = (_line: string, lines: number) => flushed.push(lines);
  const file = openAppendFile({ path: join(folder, "log"), open: "new", fail, onFlushed });
  void file.append("a");
  const first = file.flush();
  await new Promise((resolve) => setImmediate(resolve));
  const more = ["b", "c", "d"].map((line) => file.append(line));
  await Promise.all([first, file.flush(), ...more]);
  await file.close();
  expect(flushed).toEqual([1, 4]);
});

test("a flush resolves once every line before it is on the disk, and costs nothing when there is none", async () => {
  const flushed: number[] = [];
  const onFlushed = (_line: string, lines: number) => flushed.push(lines);
  const path = join(folder, "log");
  const file = openAppendFile({ path, open: "new", fail, onFlushed });
  await file.flush();
  const lines = ["a", "b"].map((line) => file.append(line));
  await file.flush();
  expect(readFileSync(path, "utf8")).toBe("a\nb\n");
  await Promise.all(lines);
  await file.flush();
  await file.close();
  expect(flushed).toEqual([2]);
});

test("a long line is written when it comes, behind those that wait, and resolves with their flush", async () => {
  const path = join(folder, "log");
  const flushed: [string, number][] = [];
  const onFlushed = (line: string, lines: number) => flushed.push([line, lines]);
  const file = openAppendFile({ path, open: "new", fail, firstLine: "first", onFlushed });
  const long = "long".repeat(1000);
  const appended = [file.append("a"), file.append(long), file.append("b")];
  expect(readFileSync(path, "utf8")).toBe(`first\na\n${long}\n`);
  expect(flushed).toEqual([]);
  await Promise.all(appended);
  expect(readFileSync(path, "utf8")).toBe(`first\na\n${long}\nb\n`);
  expect(flushed).toEqual([["b", 4]]);
  await file.close();
});

test("a flush tells of the lines before it alone, whatever is written while it lasts", async () => {
  const flushed: [string, number][] = [];
  const onFlushed = (line: string, lines: number) => flushed.push([line, lines]);
  const path = join(folder, "log");
  const file = openAppendFile({ path, open: "new", fail, onFlushed });
  void file.append("a");
  const first = file.flush();
  await new Promise((resolve) => setImmediate(resolve));
  const long = "long".repeat(1000);
  const second = file.append(long);
  expect(readFileSync(path, "utf8")).toBe(`a\n${long}\n`);
  await first;
  expect(flushed[0]).toEqual(["a", 1]);
  await second;
  expect(flushed).toEqual([
    ["a", 1],
    [long, 2],
  ]);
  await file.close();
});

test.skipIf(process.platform !== "linux")(
  "a full disk rejects what waits, and everything after it",
  async () => {
    const file = openAppendFile({ path: "/dev/full", open: "existing", fail });
    const ends = await Promise.allSettled(["a", "long".repeat(1000), "b"].map((line) => file.append(line)));
    expect(ends.map((end) => end.status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(file.append("c")).rejects.toMatchObject({
      code: "store_failed",
      message: expect.stringContaining("ENOSPC"),
    });
    await file.close();
  },
);

test.skipIf(process.platform !== "linux")("a line that cannot be flushed is rejected", async () => {
  const file = openAppendFile({ path: "/dev/null", open: "existing", fail });
  await expect(file.append("a")).rejects.toThrow("EINVAL");
  await file.close();
});

test.skipIf(process.platform !== "linux")("the first failure is told by all that follow", async () => {
  const file = openAppendFile({ path: "/dev/full", open: "existing", fail });
  // Nothing of it is left for its flush, which fails for another reason there.
  await expect(file.append("long".repeat(1000))).rejects.toThrow("ENOSPC");
  await expect(file.append("b")).rejects.toThrow("ENOSPC");
  await file.close();
});

test("nothing is written behind a flush that failed, though it waited meanwhile", async () => {
  const path = join(folder, "log");
  const onFlushed = () => {
    throw new Error("no head");
  };
  const file = openAppendFile({ path, open: "new", fail, onFlushed });
  const first = file.append("a");
  const flushed = file.flush();
  await new Promise((resolve) => setImmediate(resolve));
  const ends = await Promise.allSettled([first, flushed, file.append("b")]);
  expect(ends.map((end) => end.status)).toEqual(["rejected", "rejected", "rejected"]);
  await file.close();
  expect(readFileSync(path, "utf8")).toBe("a\n");
});

test("an error after the flush rejects its lines too", async () => {
  const onFlushed = () => {
    throw new Error("no head");
  };
  const file = openAppendFile({ path: join(folder, "log"), open: "new", fail, onFlushed });
  await expect(file.append("a")).rejects.toThrow("no head");
  await file.close();
});

test("closing flushes what waits; later appends reject, closing again does nothing", async () => {
  const path = join(folder, "log");
  const file = openAppendFile({ path, open: "new", fail });
  const appended = file.append("a");
  const closed = file.close();
  await expect(file.append("b")).rejects.toThrow("closed");
  await Promise.all([appended, closed, file.close()]);
  await expect(file.append("c")).rejects.toThrow("closed");
  expect(readFileSync(path, "utf8")).toBe("a\n");
});

test("a file is for its owner alone, and a new one never replaces another", async () => {
  const path = join(folder, "log");
  await openAppendFile({ path, open: "new", fail }).close();
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => openAppendFile({ path, open: "new", fail })).toThrow("EEXIST");
});
