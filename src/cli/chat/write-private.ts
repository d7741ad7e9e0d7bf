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
    throw new HostError("store_failed", `${visibleLine(path)} could not be written.`, { cause });
  }
}
