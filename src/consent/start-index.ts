import { isAboutArgument, type PathCondition, type RuleCondition } from "./condition-words.ts";
import { type CallView, foundValues } from "./conditions.ts";
import { mostWork } from "./pattern.ts";
import { longestRule, type Rule } from "./rules.ts";

type StartCondition = Extract<PathCondition, { type: "glob" }>;

/** Rules that ask for the same argument, by what its value must begin with. */
interface Starts {
  readonly condition: StartCondition;
  readonly places: Map<string, number[]>;
  readonly lengths: Set<number>;
}

/** The rules that a call may meet, in their order. */
export type StartIndex = (view: CallView) => readonly Rule[];

/** Of so few rules each is looked at sooner. */
const fewRules = 16;
/** Beginnings of more lengths are not looked for one by one. */
const mostLengths = 24;
/** No pattern is longer than its rule, so that no text of this length is too much work for one. */
const longestText = mostWork / longestRule;

/**
 * Finds the rules that a call may meet without a look at each: most of many rules for one tool ask for a value that
 * begins with a text of its own. Keeps their order, and leaves out only what no value of the call can meet.
 */
export function createStartIndex(rules: readonly Rule[]): StartIndex {
  if (rules.length <= fewRules) return () => rules;
  const always: number[] = [];
  const byKey = new Map<string, Starts>();
  for (const [place, { conditions }] of rules.entries()) {
    const condition = conditions.find(hasStart);
    if (condition === undefined) always.push(place);
    else shelve(condition, place, byKey);
  }
  if (byKey.size === 0) return () => rules;
  const groups = [...byKey.values()];
  return (view) => {
    const places = new Set(always);
    for (const group of groups) {
      const found = startsIn(group, view);
      if (found === null) return rules;
      for (const start of found) for (const place of group.places.get(start) ?? []) places.add(place);
    }
    return [...places].sort((a, b) => a - b).flatMap((place) => rules[place] ?? []);
  };
}

function hasStart(condition: RuleCondition): condition is StartCondition {
  if (!isAboutArgument(condition) || condition.type !== "glob") return false;
  return startsOf(condition).every((start) => start !== "");
}

function startsOf({ glob, bare }: StartCondition): readonly string[] {
  return bare === null ? [glob.start] : [glob.start, bare.start];
}

function shelve(condition: StartCondition, place: number, byKey: Map<string, Starts>): void {
  const starts = byKey.get(condition.key) ?? { condition, places: new Map(), lengths: new Set() };
  byKey.set(condition.key, starts);
  for (const start of startsOf(condition)) {
    starts.lengths.add(start.length);
    const places = starts.places.get(start);
    if (places === undefined) starts.places.set(start, [place]);
    else places.push(place);
  }
}

/** What values of the call begin with, each once; null where each rule must be looked at. */
function startsIn({ condition, places, lengths }: Starts, view: CallView): ReadonlySet<string> | null {
  if (lengths.size > mostLengths) return null;
  const found = new Set<string>();
  for (const { text, workedOut } of foundValues(condition, view)) {
    for (const each of [text, workedOut]) {
      if (each === null) continue;
      if (each.length > longestText) return null;
      for (const length of lengths) {
        const start = each.slice(0, length);
        if (places.has(start)) found.add(start);
      }
    }
  }
  return found;
}
