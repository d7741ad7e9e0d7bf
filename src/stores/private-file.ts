import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./store-error.ts";

/** Mode of everything that is kept: for the owner's eyes. */
export const privateMode = 0o600;

/** A flag to open without waiting: a pipe in the place of a file has nobody at its other end. Windows has no such flag. */
const noWait: number = constants.O_NONBLOCK ?? 0;

/** Flags to open the file itself: a link in its place leads to something that is not ours. Windows has no such flag. */
export const noFollow: number = (constants.O_NOFOLLOW ?? 0) | noWait;

/** Flags to read a file that somebody may have put elsewhere, with a link in its place. */
export const readable: number = constants.O_RDONLY | noWait;

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
  const topmost = makeFolders(path);
  if (topmost === undefined) return;
  for (let made = path; made.length >= topmost.length; made = dirname(made)) syncFolder(dirname(made));
}

/**
 * The topmost folder that had to be made; undefined when there was nothing to make. Not Node's `recursive`, which never
 * ends where the system says that a folder's parent is missing although it is there, as in `/proc`.
 */
function makeFolders(path: string): string | undefined {
  try {
    return makeFolder(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const above = makeFolders(dirname(path));
  const made = makeFolder(path);
  return above ?? made;
}

/** The path, when the folder was made; undefined when it was there already. */
function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (error) {
    if (systemCode(error) !== "ENOENT" && statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return undefined;
    throw error;
  }
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
