import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";
import { maxConfigBytes, readBounded } from "../read-bounded.ts";

/** For the owner's eyes. */
const privateFile = 0o600;
const privateFolder = 0o700;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function failed(path: string, error: unknown): HostError {
  const why = codeOf(error) || "unknown reason";
  const message = `${visibleLine(path)} cannot be read or written (${why}). Nothing was changed.`;
  return new HostError("store_failed", message, { cause: error });
}

/** The text of a file, or null when it is not there. Throws `store_failed`, and `config_invalid` for what is no config file. */
export async function readWhole(path: string): Promise<string | null> {
  try {
    const bytes = await readBounded(path, maxConfigBytes);
    if (typeof bytes === "string") {
      const message = `${visibleLine(path)} is ${bytes === "too large" ? "larger than 1 MiB" : bytes}. Nothing was changed.`;
      throw new HostError("config_invalid", message);
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof HostError) throw error;
    if (codeOf(error) === "ENOENT") return null;
    throw failed(path, error);
  }
}

/** Not Node's `recursive`, which never ends where the system says that a folder is missing although it is there, as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: privateFolder });
  try {
    await make();
  } catch (error) {
    if (codeOf(error) === "ENOENT" && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await make();
    } else if (!(await stat(path).catch(() => null))?.isDirectory()) throw error;
  }
}

/**
 * Makes a file for the owner alone, and the folders above it. An existing one is never overwritten, whoever made it.
 * @throws HostError `config_invalid` when it is there already, `store_failed`
 */
export async function createWhole(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
  } catch (error) {
    throw failed(path, error);
  }
  try {
    await writeNew(path, text);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw failed(path, error);
    throw new HostError(
      "config_invalid",
      `${visibleLine(path)} is there already. It was not changed: edit it, or remove it.`,
    );
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", privateFile);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // A part of a config would be taken for all of it.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
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
    await writeNew(temporary, text);
    await chmod(temporary, mode & 0o777);
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    throw failed(path, error);
  }
}
