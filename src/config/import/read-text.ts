import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Claude Code keeps more than settings in its file. */
const mostBytes = 16 * 1024 * 1024;

/** The text of a file; null when it is not there, a problem when it cannot be read. A pipe is not waited for. */
export async function readText(path: string): Promise<string | null | { readonly problem: string }> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: "it is not a file" };
      if (stats.size > mostBytes) return { problem: "it is larger than 16 MiB" };
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return { problem: `it cannot be read${code === "" ? "" : ` (${code})`}` };
  }
}
