import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { noFollow } from "./private-file.ts";

/** Why a file is none of ours: a link, a pipe, too long, or what others may write. */
export class ForeignFileError extends Error {}

export interface OwnFileRules {
  /** A longer file is none of ours. */
  readonly maxBytes: number;
  /** Whether it also counts where the system says that others may write it. Windows does not say. */
  readonly othersMayWrite: boolean;
}

/**
 * The text of a file that this program keeps. It is looked at again once it is open: something else may have been put in
 * its place in between, and not every system opens no links when it is asked to. Rejects with a `ForeignFileError`, or with the system's error.
 */
export async function readOwnFile(path: string, { maxBytes, othersMayWrite }: OwnFileRules): Promise<string> {
  if (!(await lstat(path)).isFile()) throw new ForeignFileError("it is no file");
  const file = await open(path, constants.O_RDONLY | noFollow);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > maxBytes)
      throw new ForeignFileError("it is no file of this program's size");
    if (!othersMayWrite && process.platform !== "win32" && (found.mode & 0o022) !== 0)
      throw new ForeignFileError("others may write it");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
