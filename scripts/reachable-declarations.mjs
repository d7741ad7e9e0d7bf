import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isBundled } from "./bundled-packages.mjs";

/** The declaration files that a program meets which imports these entries: nobody reads the others. */
export function reachableDeclarations(folder, entries) {
  const found = new Set();
  const waiting = entries.map((entry) => join(folder, `${entry}.d.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, target] of text.matchAll(/(?:\bfrom |\bimport\(|\bimport )"([^"]+)"/g)) {
      if (isBundled(target))
        throw new Error(`${file} names a type of ${target}, which is not installed with the package`);
      if (target.startsWith(".")) waiting.push(resolve(dirname(file), target.replace(/\.[jt]s$/, ".d.ts")));
    }
  }
  return found;
}
