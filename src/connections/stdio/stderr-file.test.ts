import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { connect } from "../../../test/fixtures/stdio/client.ts";
import { openStderrFile } from "./stderr-file.ts";

const folder = mkdtempSync(join(tmpdir(), "stderr-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}`, "server.log");
const redact = (text: string) => text.replaceAll("hunter2-hunter2", "(secret)");
const posix = process.platform !== "win32";

test("what a server writes to stderr stands in the file with those that ran before, and nobody else may read it", async () => {
  const path = newPath();
  for (const text of ["first\n", "hunter2-hunter2, without a line's end"]) {
    const { transport, request } = connect({}, { stderrFile: path, redact });
    await transport.start();
    await request("complain", { text, times: 1 });
    await transport.close();
  }
  expect(readFileSync(path, "utf8")).toBe("first\n(secret), without a line's end\n");
  if (posix) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that cannot be written fails the start with its name", async () => {
  const path = newPath();
  mkdirSync(path, { recursive: true });
  const { transport } = connect({}, { stderrFile: path });
  await expect(transport.start()).rejects.toMatchObject({
    code: "server_start_failed",
    message: expect.stringContaining(`${JSON.stringify(path)} cannot be written: it is no file`),
  });
  expect(transport.pid).toBe(null);
});

test("lines arrive whole and without secrets, wherever the pieces end", async () => {
  const word = fc.constantFrom("hunter2-hunter2", "é", "a\n", "\n", "b");
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (words, size) => {
        const path = newPath();
        const file = openStderrFile(path, { redact });
        const bytes = Buffer.from(words.join(""));
        for (let at = 0; at < bytes.length; at += size) file.push(bytes.subarray(at, at + size));
        await file.end();
        const text = redact(words.join(""));
        expect(readFileSync(path, "utf8")).toBe(text === "" || text.endsWith("\n") ? text : `${text}\n`);
      },
    ),
    { numRuns: 30 },
  );
});

test("an endless line is cut, no part of a secret at the edge is written, and the next line is there", async () => {
  const path = newPath();
  const file = openStderrFile(path, { redact });
  for (let piece = 0; piece < 40; piece++) file.push(Buffer.from("hunter2-hunter2".repeat(300)));
  file.push(Buffer.from("\nnext\n"));
  await file.end();
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/^(?:\(secret\))+[(secrt]*… \(the rest of the line is left out\)\nnext\n$/);
});

test("a file that grows is renamed once it is over its size, and an older one is replaced", async () => {
  const path = newPath();
  const file = openStderrFile(path, { redact, mostBytes: 1_000 });
  for (let line = 0; line < 50; line++) {
    file.push(Buffer.from(`${line} ${"x".repeat(90)}\n`));
    await file.end();
  }
  expect(statSync(path, { throwIfNoEntry: false })?.size ?? 0).toBeLessThanOrEqual(1_000);
  const older = readFileSync(`${path}.1`, "utf8");
  expect(older.length).toBeLessThan(1_200);
  expect(older).toContain("43 x");
});
