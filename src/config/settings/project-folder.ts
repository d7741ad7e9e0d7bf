import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ownFileName } from "../settings-paths.ts";

export const sharedFileName = ".mcp.json";

/**
 * The folder whose files are the project's: the nearest from `cwd` upwards that has one, no higher than the folder with
 * `.git`. Outside of a repository, and at the home folder, it is `cwd` itself: files of folders above may be anybody's.
 */
export async function projectFolder(cwd: string, userHome: string): Promise<string> {
  const start = resolve(cwd);
  let nearest: string | null = null;
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start && (folder === resolve(userHome) || folder === dirname(folder))) return start;
    const [repository, ...files] = await Promise.all(
      [".git", sharedFileName, ownFileName].map((name) => exists(join(folder, name))),
    );
    if (files.includes(true)) nearest ??= folder;
    if (repository === true) return nearest ?? start;
    if (folder === dirname(folder)) return start;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
