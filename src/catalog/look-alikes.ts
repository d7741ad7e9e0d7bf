import { compareCodeUnits } from "../util/stable-json.ts";
import { editKeys, isOneEdit } from "./one-edit.ts";
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

/** A name with what it is compared by. */
interface Compared {
  readonly name: Name;
  readonly skeleton: string;
  readonly whole: Entry;
  readonly edited: Entry;
}

/** Up to so many names are compared each with each: that is quicker than making keys of them. */
const fewNames = 100;

/**
 * For each name that looks like one of another owner: the first such name, by owner and name. Equal names are none: many
 * servers have a tool `search`. Linear in the length of all names beyond a few, and independent of their order.
 */
export function findLookAlikes(
  names: readonly Name[],
  compareUpTo: number = fewNames,
): ReadonlyMap<Name, LookAlike> {
  const ordered = [...names].sort(compareNames).map(compared);
  const bySkeleton = new Map<string, Entry[]>();
  for (const { skeleton: key, whole } of ordered) keep(bySkeleton, key, whole);
  const nearest = ordered.length <= compareUpTo ? nearestByPairs(ordered) : nearestByKeys(ordered);
  const found = new Map<Name, LookAlike>();
  for (const one of ordered) {
    const same = firstOf(bySkeleton.get(one.skeleton), one.whole);
    const other = same ?? nearest(one.edited);
    if (other === undefined) continue;
    found.set(one.name, { type: same === undefined ? "edit" : "same", owner: other.owner, name: other.name });
  }
  return found;
}

type Nearest = (asking: Entry) => Entry | undefined;

function nearestByPairs(ordered: readonly Compared[]): Nearest {
  return ({ owner, text }) =>
    ordered.find(({ edited }) => edited.owner !== owner && isOneEdit(edited.text, text))?.edited;
}

function nearestByKeys(ordered: readonly Compared[]): Nearest {
  const comparable = nearInLength(ordered);
  const byEdit = new Map<number, Entry[]>();
  for (const entry of comparable) for (const key of editKeys(entry.text).shown) keep(byEdit, key, entry);
  return (asking) => {
    if (!comparable.has(asking)) return undefined;
    let near: Entry | undefined;
    for (const key of editKeys(asking.text).sought) {
      const found = firstOf(byEdit.get(key), asking);
      if (found === undefined || !isOneEdit(asking.text, found.text)) continue;
      if (near === undefined || compareNames(found, near) < 0) near = found;
    }
    return near;
  };
}

function compared(name: Name): Compared {
  const { owner, name: text } = name;
  return {
    name,
    skeleton: skeleton(text),
    whole: { owner, name: text, text },
    edited: { owner, name: text, text: folded(text) },
  };
}

/** Those that have a name of another owner whose length is at most one off: nothing else is one edit away. */
function nearInLength(all: readonly Compared[]): ReadonlySet<Entry> {
  const owners = new Map<number, Set<string>>();
  for (const { edited } of all) {
    const known = owners.get(edited.text.length);
    if (known === undefined) owners.set(edited.text.length, new Set([edited.owner]));
    else if (known.size < 2) known.add(edited.owner);
  }
  const hasOther = (length: number, owner: string) => {
    const known = owners.get(length);
    return known !== undefined && (known.size > 1 || !known.has(owner));
  };
  const entries = all.map(({ edited }) => edited);
  return new Set(
    entries.filter(({ owner, text }) => [-1, 0, 1].some((more) => hasOther(text.length + more, owner))),
  );
}

function compareNames(a: Name, b: Name): number {
  return compareCodeUnits(a.owner, b.owner) || compareCodeUnits(a.name, b.name);
}

function firstOf(entries: readonly Entry[] | undefined, { owner, text }: Entry): Entry | undefined {
  return entries?.find((entry) => entry.owner !== owner && entry.text !== text);
}

/**
 * Keeps the few entries of a key that are enough: whoever asks leaves out one owner and one text, and gets another entry
 * whenever there is one. So a key that ten thousand names share costs no more than one that a few do.
 */
function keep<Key>(index: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const kept = index.get(key);
  if (kept === undefined) index.set(key, [entry]);
  else if (adds(kept, entry)) kept.push(entry);
}

/** Whether somebody may leave out all that is kept, and not this one. */
function adds(kept: readonly Entry[], { owner, text }: Entry): boolean {
  if (isCovered(kept, null, owner)) return true;
  return kept.some((one) => one.text !== text && isCovered(kept, one.text, owner));
}

/** Whether all that is kept has the one text, or an owner that all the rest has and `owner` is not. */
function isCovered(kept: readonly Entry[], left: string | null, owner: string): boolean {
  let only: string | undefined;
  for (const entry of kept) {
    if (entry.text === left) continue;
    if (entry.owner === owner || (only !== undefined && entry.owner !== only)) return false;
    only = entry.owner;
  }
  return true;
}
