import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensureFolder, noFollow, privateMode } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";

const keyBytes = 32;

export function hashKeyPath(folder: string): string {
  return join(folder, "hash-key");
}

/** The key in the file, or null when there is no file. A symbolic link is refused; a readable file is made private. */
async function readKey(path: string): Promise<Uint8Array | null> {
  try {
    const file = await open(path, constants.O_RDONLY | noFollow);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size !== keyBytes) {
        throw new Error(`it is not a file of ${keyBytes} bytes; remove it to make a new key`);
      }
      if ((stat.mode & 0o077) !== 0) await file.chmod(privateMode);
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Makes the key under a name of its own and then gives it its name: nobody reads a part, and the first one wins. */
async function makeKey(path: string): Promise<void> {
  ensureFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, randomBytes(keyBytes), { mode: privateMode, flag: "wx", flush: true });
    await giveName(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function giveName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    // Some file systems have no hard links.
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

/** The key of the hashes in records, made once for a state folder. Rejects with `store_failed`. */
export async function loadHashKey(path: string): Promise<Uint8Array> {
  try {
    const known = await readKey(path);
    if (known !== null) return known;
    await makeKey(path);
    const made = await readKey(path);
    if (made === null) throw new Error("it was removed at this moment");
    return made;
  } catch (error) {
    throw storeError("store_failed", "The key of the hashes cannot be read", path, error);
  }
}
