import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes the files of a folder that were written longest ago, so that `most` stay. Locks stay, and do not count. */
export async function forgetOldest(folder: string, most: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.includes(".lock"));
  if (names.length <= most) return;
  const dated = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const at = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { path, at };
    }),
  );
  dated.sort((a, b) => a.at - b.at);
  for (const { path } of dated.slice(0, dated.length - most)) await rm(path, { force: true });
}
