import { readBounded } from "../read-bounded.ts";

/** Claude Code keeps more than settings in its file. */
const mostBytes = 16 * 1024 * 1024;

/** The text of a file; null when it is not there, a problem when it cannot be read. A pipe is not waited for. */
export async function readText(path: string): Promise<string | null | { readonly problem: string }> {
  try {
    const bytes = await readBounded(path, mostBytes);
    if (bytes === "not a file") return { problem: "it is not a file" };
    if (bytes === "too large") return { problem: "it is larger than 16 MiB" };
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return { problem: `it cannot be read${code === "" ? "" : ` (${code})`}` };
  }
}
