import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ForeignFileError, readOwnFile } from "./read-own-file.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-own-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = { maxBytes: 10, othersMayWrite: false };

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

test("a file of this program is read up to the size that it may have", async () => {
  expect(await readOwnFile(file("own", "0123456789"), rules)).toBe("0123456789");
  await expect(readOwnFile(file("long", "0123456789a"), rules)).rejects.toThrow(ForeignFileError);
});

test("a folder is no file of it, and one that is missing is told as the system has it", async () => {
  mkdirSync(join(folder, "inner"));
  await expect(readOwnFile(join(folder, "inner"), rules)).rejects.toThrow(ForeignFileError);
  await expect(readOwnFile(join(folder, "none"), rules)).rejects.toMatchObject({ code: "ENOENT" });
});

test.skipIf(process.platform === "win32")(
  "a link is none, nor what others may write unless that is left open",
  async () => {
    const path = file("shared", "text");
    const link = join(folder, "link");
    symlinkSync(path, link);
    await expect(readOwnFile(link, rules)).rejects.toThrow(ForeignFileError);
    chmodSync(path, 0o620);
    await expect(readOwnFile(path, rules)).rejects.toThrow("others may write it");
    expect(await readOwnFile(path, { ...rules, othersMayWrite: true })).toBe("text");
  },
);
