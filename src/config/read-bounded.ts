import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A longer file is no config. */
export const maxConfigBytes: number = 1024 * 1024;

/** Why a path is not read. */
type Unread = "not a file" | "too large";

/**
 * The bytes of a file that may be anybody's: a pipe of that name is not waited for, a device is not read, and neither
 * is a file of more than `mostBytes`. Rejects with the system's error when it cannot be opened or read.
 */
export async function readBounded(path: string, mostBytes: number): Promise<Uint8Array | Unread> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return "not a file";
    if (stats.size > mostBytes) return "too large";
    const buffer = new Uint8Array(stats.size);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
