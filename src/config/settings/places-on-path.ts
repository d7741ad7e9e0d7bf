import { readlink } from "node:fs/promises";
import { join, parse, resolve, sep } from "node:path";

const mostLinks = 40;

/**
 * Every folder that a path is looked up in, every link on the way, and what it leads to: whoever can change one of them
 * decides what the path means. Null where it goes round in links.
 */
export async function placesOnPath(path: string): Promise<ReadonlySet<string> | null> {
  const places = new Set<string>();
  let { root: at } = parse(resolve(path));
  const rest = resolve(path).slice(at.length).split(sep);
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    places.add(at);
    const next = join(at, part);
    // What is no link, or not there, is what it is called.
    const target = await readlink(next).catch(() => null);
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) return null;
    places.add(next);
    const { root } = parse(target);
    if (root !== "") at = root;
    rest.unshift(...target.slice(root.length).split(sep));
  }
  places.add(at);
  return places;
}
