import { isObject } from "../../util/own.ts";
import type { ChatProfile } from "./profile.ts";

/** Collects the fields of a turn that the API wants back with it. */
export interface Echo {
  take(delta: Readonly<Record<string, unknown>>): void;
  fields(): Readonly<Record<string, unknown>>;
}

/** Fields whose pieces are joined; of entries with the same index, all others are replaced by the newer. */
const growing: ReadonlySet<string> = new Set(["text", "summary", "data"]);

export function createEcho({ requiredEcho, echo }: ChatProfile): Echo {
  const texts = new Map<string, string[]>();
  const lists = new Map<string, Record<string, unknown>[]>();
  const names = requiredEcho === null ? echo : [requiredEcho, ...echo];
  return {
    take(delta) {
      for (const name of names) {
        const value = Object.hasOwn(delta, name) ? delta[name] : undefined;
        if (typeof value === "string") texts.set(name, [...(texts.get(name) ?? []), value]);
        else if (Array.isArray(value)) lists.set(name, merged(lists.get(name) ?? [], value.filter(isObject)));
      }
    },
    fields() {
      const found = [...texts].map(([name, pieces]): [string, unknown] => [name, pieces.join("")]);
      return Object.fromEntries([...found, ...lists]);
    },
  };
}

/** The entries with the pieces added: one that continues the last entry's index and type is part of it. */
function merged(
  entries: readonly Record<string, unknown>[],
  pieces: readonly Record<string, unknown>[],
): Record<string, unknown>[] {
  const found = [...entries];
  for (const piece of pieces) {
    const last = found.at(-1);
    const same = last !== undefined && last.index === piece.index && last.type === piece.type;
    if (!same) {
      found.push({ ...piece });
      continue;
    }
    for (const [name, value] of Object.entries(piece)) {
      const present = Object.hasOwn(last, name) ? last[name] : undefined;
      const joined = growing.has(name) && typeof present === "string" && typeof value === "string";
      if (name !== "__proto__" && value !== null) last[name] = joined ? `${present}${value}` : value;
    }
  }
  return found;
}
