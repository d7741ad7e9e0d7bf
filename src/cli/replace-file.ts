import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { HostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";

/**
 * Writes a file for the owner's eyes alone. A reader sees the old one or the new one, never a part, and a link to it
 * stays one. A device or a pipe, which would be gone afterwards, is not replaced.
 * @throws HostError `store_failed`, which says why
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => null);
  if (found !== null && !found.isFile()) throw unwritten(path, "it is there already, and is no file");
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw unwritten(path, reasonOf(cause), cause);
  }
}

function unwritten(path: string, reason: string, cause?: unknown): HostError {
  return new HostError("store_failed", `${visibleLine(path)} could not be written: ${reason}.`, { cause });
}

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") return "its folder is not there";
  return code === "EACCES" || code === "EPERM" || code === "EROFS" ? "you may not write there" : code;
}
