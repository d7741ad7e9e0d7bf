import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject } from "../util/own.ts";
import { leadsElsewhere } from "./leads-elsewhere.ts";

/**
 * The condition on all arguments together: a later call has no other arguments than the call that was allowed, and those
 * that no other condition looks at name no place (`leadsElsewhere`).
 */
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
