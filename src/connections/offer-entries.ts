import type { LeftOutEntry } from "../types/resource.ts";
import { isObject } from "../util/own.ts";
import { createCursors, restOfList } from "./cursors.ts";

/** An entry of a list that can be used, or why it cannot. */
export type IngestedEntry<Entry> =
  | { readonly type: "entry"; readonly key: string; readonly entry: Entry }
  | { readonly type: "left out"; readonly entry: LeftOutEntry };

/** Reads one member of a list of a server, whatever it is. */
export type ReadEntry<Entry> = (raw: Record<string, unknown>) => IngestedEntry<Entry>;

const longestName = 1_000;
const longestText = 4_000;
const controls = /[\u0000-\u001f\u007f]/;

export function leaveOut(name: string, reason: string): IngestedEntry<never> {
  return { type: "left out", entry: { name: name.slice(0, 100), reason } };
}

/** What is wrong with a text that names something, or null. */
export function keyProblem(what: string, value: unknown, longest: number): string | null {
  if (typeof value !== "string" || value === "") return `It has no ${what}.`;
  if (value.length > longest)
    return `Its ${what} has ${value.length} characters; at most ${longest} are read.`;
  return controls.test(value) ? `Its ${what} holds control characters.` : null;
}

/** The name that a server gave, cut where it is long; `instead` where there is none. */
export function nameOf(raw: Record<string, unknown>, instead: string): string {
  const { name } = raw;
  return (typeof name === "string" && name !== "" ? name : instead).slice(0, longestName);
}

/** Those of the named members that are texts, cut where they are long. */
export function textsOf<Name extends string>(
  raw: Record<string, unknown>,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const kept: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (typeof value === "string" && value !== "") kept[name] = cut(value);
  }
  return kept;
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/** Most entries of one list, however many a page holds. */
const mostEntries = 10_000;
const mostLeftOut = 100;

/** The pages of one reading. */
export interface EntryPages<Entry> {
  /** Takes a page's entries and gives the cursor of the next one, or null at the end. */
  take(entries: unknown, nextCursor: unknown): string | null;
  result(): { readonly entries: readonly Entry[]; readonly leftOut: readonly LeftOutEntry[] };
}

/** Collects entries, each on its own; the first of two with one key is kept. */
export function createEntryPages<Entry>(read: ReadEntry<Entry>): EntryPages<Entry> {
  const entries = new Map<string, Entry>();
  const leftOut: LeftOutEntry[] = [];
  const cursors = createCursors();
  let left = 0;
  let position = 0;

  function note(entry: LeftOutEntry): void {
    left += 1;
    if (left <= mostLeftOut) leftOut.push(entry);
  }

  function add(raw: unknown): void {
    position += 1;
    if (!isObject(raw)) {
      note({ name: `(entry ${position})`, reason: "It is no object." });
      return;
    }
    const ingested = read(raw);
    if (ingested.type === "left out") note(ingested.entry);
    else if (!entries.has(ingested.key)) entries.set(ingested.key, ingested.entry);
  }

  function ended(reason: string): null {
    leftOut.push({ name: restOfList, reason });
    return null;
  }

  return {
    take(page, nextCursor) {
      for (const raw of Array.isArray(page) ? page : []) {
        if (position >= mostEntries) return ended(`At most ${mostEntries} entries are read.`);
        add(raw);
      }
      const next = cursors.next(nextCursor);
      const cut = cursors.cut();
      return cut === null ? next : ended(cut);
    },
    result() {
      const more = left - mostLeftOut;
      const rest = more > 0 ? [{ name: `(${more} more)`, reason: "They cannot be read either." }] : [];
      return { entries: [...entries.values()], leftOut: [...leftOut, ...rest] };
    },
  };
}
