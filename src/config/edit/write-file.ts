import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";

/** For the owner's eyes. */
const privateFile = 0o600;
const privateFolder = 0o700;

function failed(path: string, error: unknown): HostError {
  if (error instanceof HostError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
  return new HostError(
    "store_failed",
    `${visibleLine(path)} cannot be written (${code}). Nothing was changed.`,
    {
      cause: error,
    },
  );
}

/** The text of a file, or null when it is not there. Throws `store_failed`. */
export async function readWhole(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw failed(path, error);
  }
}

/**
 * Makes a file for the owner alone, and the folders above it. An existing one is never overwritten, whoever made it.
 * @throws HostError `config_invalid` when it is there already, `store_failed`
 */
export async function createWhole(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: privateFolder });
    const file = await open(path, "wx", privateFile);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new HostError("config_invalid", `${visibleLine(path)} is there already. It was not changed.`);
    }
    throw failed(path, error);
  }
}

/**
 * Replaces a file that is there: a reader sees the old text or the new one. Its mode stays, and so does a link to it.
 * @throws HostError `store_failed`
 */
export async function replaceWhole(path: string, text: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
    const file = await open(temporary, "wx", privateFile);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(temporary, mode & 0o777);
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    throw failed(path, error);
  }
}
