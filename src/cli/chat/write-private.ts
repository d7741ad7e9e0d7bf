import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { HostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";

/**
 * Writes a file for the owner's eyes alone; a reader sees the old one or the new one, never a part.
 * @throws HostError `store_failed`
 */
export async function writePrivate(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    const message = `${visibleLine(path)} could not be written: ${reasonOf(cause)}.`;
    throw new HostError("store_failed", message, { cause });
  }
}

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR") return "its folder is not there";
  return code === "EACCES" || code === "EPERM" || code === "EROFS" ? "you may not write there" : code;
}
