import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./store-error.ts";

/** Mode of everything that is kept: for the owner's eyes. */
export const privateMode = 0o600;

/** Makes the names of new files in a folder durable, where the system can. */
export function syncFolder(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    // Windows opens no folders.
    if (["EISDIR", "EPERM", "EACCES"].includes(systemCode(error))) return;
    throw error;
  }
  try {
    fsyncSync(fd);
  } catch (error) {
    // Some file systems cannot flush a folder.
    if (!["EPERM", "EINVAL", "EBADF", "ENOTSUP"].includes(systemCode(error))) throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes the folder and those above it that are missing, durably and for the owner alone. An existing folder stays as
 * it is.
 */
export function ensureFolder(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = path; made.length >= topmost.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Writes a whole file so that a reader sees the old one or the new one, never a part. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { mode: privateMode, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
