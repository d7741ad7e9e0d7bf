import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";
import { matchesGlob } from "./glob.ts";
import type { Rule, RuleCondition } from "./rules.ts";

/**
 * Whether the arguments meet all conditions of a rule. An absent argument meets none. Of a list, all members must fit
 * where the rule allows, and one is enough where it asks or denies: a condition is never the way around a rule.
 */
export function meetsConditions(rule: Rule, values: JsonObject): boolean {
  return rule.conditions.every((condition) => meets(rule, condition, values));
}

function meets(rule: Rule, condition: RuleCondition, values: JsonObject): boolean {
  const found = valuesAt(values, condition.path);
  if (found === null || found.length === 0) return false;
  return rule.effect === "allow"
    ? found.every((text) => text !== null && allowsText(condition, text))
    : found.some((text) => text !== null && (fits(condition, text) || fits(condition, withoutDots(text))));
}

function fits(condition: RuleCondition, text: string): boolean {
  return matchesGlob(condition.glob, text);
}

/** A wildcard never stands for a step up: `/project/**` does not allow `/project/../secret`. */
function allowsText(condition: RuleCondition, text: string): boolean {
  if (!Number.isFinite(condition.glob.literal)) return fits(condition, text);
  return !stepsUp.test(text) && fits(condition, text);
}

const stepsUp = /(?:^|[\s/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[\s/\\?#]|%2f|%5c)/i;

/** The path with `.`, `..` and doubled slashes worked out, as a server may read it. */
function withoutDots(text: string): string {
  const kept: string[] = [];
  for (const [index, part] of text.split(/[/\\]/).entries()) {
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "") kept.pop();
    else if (index === 0 || (part !== "." && part !== "" && part !== "..")) kept.push(part);
  }
  return kept.join("/");
}

/** Every value at the path as text; lists are looked through. A null member stands for an absent one. */
function valuesAt(value: Json, path: readonly string[]): readonly (string | null)[] | null {
  const [key, ...rest] = path;
  if (key === undefined) return asTexts(value);
  if (Array.isArray(value)) {
    const member: Json | undefined = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
    if (member !== undefined) return valuesAt(member, rest);
    return value.flatMap((each: Json) => valuesAt(each, path) ?? [null]);
  }
  const member = isObject(value) ? own(value, key) : undefined;
  return member === undefined ? null : valuesAt(member, rest);
}

function asTexts(value: Json): readonly (string | null)[] {
  if (Array.isArray(value)) return value.flatMap((member: Json) => asTexts(member));
  return [typeof value === "string" ? value : JSON.stringify(value)];
}
