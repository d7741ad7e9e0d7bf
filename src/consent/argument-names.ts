import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject } from "../util/own.ts";
import { lenientReading, lenientStepsUp } from "./step-up.ts";

/** The condition on all arguments together. */
export type OnlyCondition = Extract<ArgumentCondition, { type: "only" }>;

/** Conditions on one argument. */
export type NamedCondition = Exclude<ArgumentCondition, OnlyCondition>;

export function isOnly(condition: ArgumentCondition): condition is OnlyCondition {
  return condition.type === "only";
}

/** Nobody reads through more names than these, or longer ones. */
export const mostNames = 32;
const longestName = 100;
const deepest = 8;

/** The arguments of a call by their keys from the outside in; whether one of their texts leads somewhere else. */
type Names = ReadonlyMap<string, { readonly argument: readonly string[]; readonly elsewhere: boolean }>;

/** Null where they are too many, too long or too deep to be told to a person. The members of lists share one name. */
function namesOf(values: JsonObject): Names | null {
  const names = new Map<string, { argument: readonly string[]; elsewhere: boolean }>();
  const note = (argument: readonly string[], value: Json): boolean => {
    const key = JSON.stringify(argument);
    const one = names.get(key) ?? { argument, elsewhere: false };
    names.set(key, one);
    if (typeof value === "string") one.elsewhere ||= leadsElsewhere(argument.at(-1) ?? "", value);
    return names.size <= mostNames && visit(argument, value);
  };
  const visit = (within: readonly string[], value: Json): boolean => {
    if (Array.isArray(value)) return value.every((member: Json) => note(within, member));
    if (!isObject(value)) return true;
    return Object.entries(value as JsonObject).every(
      ([name, member]) =>
        name.length <= longestName && within.length < deepest && note([...within, name], member),
    );
  };
  return visit([], values) ? names : null;
}

/** That later calls have no other arguments than this one; null where these cannot be told. */
export function onlyTheseOf(values: JsonObject): OnlyCondition | null {
  const names = namesOf(values);
  return names === null ? null : { type: "only", arguments: [...names.values()].map((one) => one.argument) };
}

/**
 * A function that says whether all arguments of the call are named, and whether those that no other condition looks at
 * lead nowhere else. The arguments are gone through once.
 */
export function createOnlyCheck(
  values: JsonObject,
): (only: OnlyCondition, conditions: readonly ArgumentCondition[]) => boolean {
  let known: Names | null | undefined;
  return (only, conditions) => {
    known ??= namesOf(values);
    if (known === null) return false;
    const named = new Set(only.arguments.map((argument) => JSON.stringify(argument)));
    const held = new Set(conditions.flatMap((one) => (isOnly(one) ? [] : [JSON.stringify(one.argument)])));
    return [...known].every(([key, { elsewhere }]) => named.has(key) && (!elsewhere || held.has(key)));
  };
}

const startElsewhere = /^\s*(?:[a-z][a-z0-9+.-]*:[/\\]|file:)/i;
const rootElsewhere = /^\s*(?:[a-z]:|[/\\~$%])/i;
const pathName = /path|file|dir|folder/i;

/** Whether a name or a text without spaces is likely to be a path, and no content. */
export function looksLikePath(name: string, value: string): boolean {
  return pathName.test(name) || !/\s/.test(value.trim());
}

/** A longer text is no path that a system opens. */
const longestPath = 8192;

/** Whether a text names a place by itself: a URL, or a path from a root, from a home folder, or with a step up. */
export function leadsElsewhere(name: string, value: string): boolean {
  if (startElsewhere.test(value)) return true;
  if (value.length > longestPath || !looksLikePath(name, value)) return false;
  const read = lenientReading(value);
  return (
    rootElsewhere.test(value) ||
    startElsewhere.test(read) ||
    rootElsewhere.test(read) ||
    lenientStepsUp(value) > 0
  );
}

/** `and there are no other arguments`, or which there may be, in words. */
export function describeOnly(
  { arguments: named }: OnlyCondition,
  conditions: readonly ArgumentCondition[],
  nameOf: (argument: readonly string[]) => string,
): string {
  const held = conditions.flatMap((one) => (isOnly(one) ? [] : [one.argument]));
  const isHeld = (argument: readonly string[]) =>
    // What lies around a condition's argument is named with it.
    held.some((one) => argument.length <= one.length && argument.every((key, at) => one[at] === key));
  const others = named.filter((argument) => !isHeld(argument)).map(nameOf);
  if (others.length === 0) return "there are no other arguments";
  const none = "no URL and no path from elsewhere";
  return others.length === 1
    ? `there is no other argument than ${others[0]}, which holds ${none}`
    : `there are no other arguments than ${others.join(", ")}, which hold ${none}`;
}
