import { compareCodeUnits } from "../util/stable-json.ts";
import { editKeys } from "./one-edit.ts";
import { folded, skeleton } from "./skeleton.ts";

/** A name that somebody may take for another's: of a tool, or of a server, whose owner is then itself. */
export interface Name {
  /** Names of one owner are not compared. */
  readonly owner: string;
  readonly name: string;
}

export interface LookAlike extends Name {
  /** `same`: at a glance they are equal; `edit`: one character more, less or other. */
  readonly type: "same" | "edit";
}

interface Entry extends Name {
  /** What must differ. */
  readonly text: string;
}

/**
 * For each name that looks like one of another owner: the first such name, by owner and name. Equal names are none: many
 * servers have a tool `search`. Linear in the length of all names, and independent of their order.
 */
export function findLookAlikes(names: readonly Name[]): ReadonlyMap<Name, LookAlike> {
  const ordered = [...names].sort(compareNames);
  const bySkeleton = new Map<string, Entry[]>();
  const byEdit = new Map<string, Entry[]>();
  for (const name of ordered) {
    keep(bySkeleton, skeleton(name.name), { ...name, text: name.name });
    const text = folded(name.name);
    for (const key of editKeys(text).shown) keep(byEdit, key, { ...name, text });
  }
  const found = new Map<Name, LookAlike>();
  for (const name of ordered) {
    const same = firstOf(bySkeleton.get(skeleton(name.name)) ?? [], { ...name, text: name.name });
    const other = same ?? nearest(name, byEdit);
    if (other === undefined) continue;
    found.set(name, { type: same === undefined ? "edit" : "same", owner: other.owner, name: other.name });
  }
  return found;
}

function compareNames(a: Name, b: Name): number {
  return compareCodeUnits(a.owner, b.owner) || compareCodeUnits(a.name, b.name);
}

function nearest(name: Name, byEdit: ReadonlyMap<string, readonly Entry[]>): Entry | undefined {
  const text = folded(name.name);
  const near = editKeys(text).sought.flatMap(
    (key) => firstOf(byEdit.get(key) ?? [], { ...name, text }) ?? [],
  );
  return near.sort(compareNames)[0];
}

function firstOf(entries: readonly Entry[], { owner, text }: Entry): Entry | undefined {
  return entries.find((entry) => entry.owner !== owner && entry.text !== text);
}

/**
 * Keeps the few entries of a key that are enough: whoever asks leaves out one owner and one text, and gets another entry
 * whenever there is one. So a key that ten thousand names share costs no more than one that a few do.
 */
function keep(index: Map<string, Entry[]>, key: string, entry: Entry): void {
  const kept = index.get(key);
  if (kept === undefined) index.set(key, [entry]);
  else if (adds(kept, entry)) kept.push(entry);
}

/** Whether somebody may leave out all that is kept, and not this one. */
function adds(kept: readonly Entry[], { owner, text }: Entry): boolean {
  const texts = new Set<string | null>([null, ...kept.map((entry) => entry.text)]);
  texts.delete(text);
  return [...texts].some((left) => {
    const rest = kept.filter((entry) => entry.text !== left);
    return rest.every((entry) => entry.owner === rest[0]?.owner && entry.owner !== owner);
  });
}
