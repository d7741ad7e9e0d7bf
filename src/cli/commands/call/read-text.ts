import { readFile, stat } from "node:fs/promises";
import { HostError } from "../../../errors.ts";
import { visibleLine } from "../../../util/visible.ts";
import { formatBytes } from "../../terminal/units.ts";

/** No argument is as long; a device or a pipe has no end. */
const longestFile = 16 * 1024 * 1024;

/**
 * The text of a file that an argument names.
 * @throws HostError `config_invalid`
 */
export async function readText(path: string): Promise<string> {
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new Error("it is no file");
    if (file.size > longestFile) throw new Error(`it is longer than ${formatBytes(longestFile)}`);
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HostError("config_invalid", `@${visibleLine(path)} cannot be read: ${visibleLine(reason)}.`, {
      cause,
    });
  }
}
