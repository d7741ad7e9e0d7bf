import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";

const mostEntries = 2_000;

/** A path as a person types it: `~/` is the home folder. */
export function typedPath(path: string, cwd: string): string {
  if (path === "~" || path.startsWith("~/")) return resolve(homedir(), path.slice(2));
  return resolve(cwd, path);
}

/** The paths that begin with what was typed, written as it was; folders end in `/`. Hidden files only after a dot. */
export async function listPaths(prefix: string, cwd: string): Promise<readonly string[]> {
  const slash = prefix.lastIndexOf("/");
  const head = prefix.slice(0, slash + 1);
  const name = prefix.slice(slash + 1);
  const folder = head === "" ? cwd : typedPath(head, cwd);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .slice(0, mostEntries)
    .filter((entry) => entry.name.startsWith(name) && (name.startsWith(".") || !entry.name.startsWith(".")))
    .map((entry) => `${head}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort();
}
