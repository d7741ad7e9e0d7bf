import type { Json } from "../types/json.ts";
import type { CallFacts } from "../types/policy.ts";
import { isObject, own } from "../util/own.ts";
import { isAboutArgument, type PathCondition, type RuleCondition } from "./condition-words.ts";
import { type Glob, matchesGlob } from "./glob.ts";
import { isHost } from "./host-condition.ts";
import { matchesPattern, mostWork } from "./pattern.ts";
import type { Rule } from "./rules.ts";
import { isSituation } from "./situation.ts";
import { holdsStepUp } from "./step-up.ts";
import { isUnder } from "./under.ts";

/** The facts of one call, and what was found at paths of its arguments: rules ask for the same ones. */
export interface CallView {
  readonly facts: CallFacts;
  readonly found: Map<string, readonly Value[]>;
  /** What was asked for last: rules with the same path stand side by side. */
  last: { readonly key: string; readonly values: readonly Value[] } | null;
}

/** A value at a path, as text; null for a member of a list that lacks the argument. */
interface Value {
  readonly text: string | null;
  /** The text as a path with `.`, `..` and doubled slashes worked out, where that is another text. */
  readonly workedOut: string | null;
  readonly stepsUp: boolean;
  /** Whether it was a text, or another value that is shown as one. */
  readonly isText: boolean;
}

export function createCallView(facts: CallFacts): CallView {
  return { facts, found: new Map(), last: null };
}

/** Whether the call meets all conditions of a rule. */
export function meetsConditions(rule: Rule, view: CallView): boolean {
  for (const condition of rule.conditions) if (!meetsCondition(rule, condition, view)) return false;
  return true;
}

/**
 * Whether the call meets one condition. An absent argument meets none. Of a list, all members must fit where the rule
 * allows, and one is enough where it asks or denies; what cannot be told does not fit where the rule allows, and does
 * where it asks or denies: a condition is never the way around a rule.
 */
export function meetsCondition(rule: Rule, condition: RuleCondition, view: CallView): boolean {
  const allowing = rule.effect === "allow";
  if (!isAboutArgument(condition)) {
    const met = isSituation(condition, view.facts);
    return allowing ? met === true : met !== false;
  }
  const values = foundValues(condition, view);
  if (values.length === 0) return false;
  const { folder } = view.facts;
  // Plain loops: this is done for every rule of a tool in every decision.
  for (const value of values) {
    const met = value.text === null ? false : fits(condition, value, value.text, folder, allowing);
    if (allowing && met !== true) return false;
    if (!allowing && met !== false) return true;
  }
  return allowing;
}

/** Whether a value fits, or null where that cannot be told. */
function fits(
  condition: PathCondition,
  value: Value,
  text: string,
  folder: string | null,
  allowing: boolean,
): boolean | null {
  switch (condition.type) {
    case "glob":
      return allowing ? allowsText(condition.glob, value, text) : fitsEither(condition, value, text);
    case "regex": {
      if (allowing && value.stepsUp) return false;
      const met = matchesPattern(condition.pattern, text);
      if (allowing || met !== false || value.workedOut === null) return met;
      return matchesPattern(condition.pattern, value.workedOut);
    }
    case "under":
      return value.isText ? isUnder(condition.folder, text, folder, allowing) : unlessObject(text);
    case "host":
      return value.isText ? isHost(condition.glob, text, allowing) : unlessObject(text);
  }
}

/** A number is neither a path nor a URL; what an object stands for cannot be told. */
function unlessObject(text: string): boolean | null {
  return text.startsWith("{") ? null : false;
}

/** A pattern that begins with `./` is also met by a path that leaves that out. */
function fitsEither(
  { glob, bare }: Extract<PathCondition, { type: "glob" }>,
  value: Value,
  text: string,
): boolean | null {
  const met = fitsGlob(glob, value, text);
  return met !== false || bare === null ? met : fitsGlob(bare, value, text);
}

function fitsGlob(glob: Glob, value: Value, text: string): boolean | null {
  if (isTooMuch(glob, text)) return null;
  return matchesGlob(glob, text) || (value.workedOut !== null && matchesGlob(glob, value.workedOut));
}

/** A wildcard never stands for a step up: `/project/**` does not allow `/project/../secret`. */
function allowsText(glob: Glob, value: Value, text: string): boolean | null {
  if (glob.exact === null && (value.stepsUp || isTooMuch(glob, text))) return null;
  return matchesGlob(glob, text);
}

function isTooMuch(glob: Glob, text: string): boolean {
  return glob.only === null && text.length * glob.steps().length > mostWork;
}

/** The path with `.`, `..` and doubled slashes worked out, as a server may read it. */
function withoutDots(text: string): string {
  const kept: string[] = [];
  for (const [index, part] of text.split(/[/\\]/).entries()) {
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "") kept.pop();
    else if (part !== "." && (index === 0 || (part !== "" && part !== ".."))) kept.push(part);
  }
  return kept.join("/");
}

/** The values that a condition looks at. */
export function foundValues({ key, path }: PathCondition, view: CallView): readonly Value[] {
  if (view.last?.key === key) return view.last.values;
  let values = view.found.get(key);
  if (values === undefined) {
    values = valuesAt(view.facts.arguments, path, 0) ?? [];
    view.found.set(key, values);
  }
  view.last = { key, values };
  return values;
}

/** Every value at the path; lists are looked through. Null where there is none. */
function valuesAt(value: Json, path: readonly string[], depth: number): readonly Value[] | null {
  const key = path[depth];
  if (key === undefined) return asValues(value);
  if (Array.isArray(value)) {
    const member: Json | undefined = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
    if (member !== undefined) return valuesAt(member, path, depth + 1);
    return value.flatMap((each: Json) => valuesAt(each, path, depth) ?? [absent]);
  }
  const member = isObject(value) ? own(value, key) : undefined;
  return member === undefined ? null : valuesAt(member, path, depth + 1);
}

const absent: Value = { text: null, workedOut: null, stepsUp: false, isText: false };

function asValues(value: Json): readonly Value[] {
  if (Array.isArray(value)) return value.flatMap((member: Json) => asValues(member));
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value);
  const workedOut = withoutDots(text);
  return [
    {
      text,
      workedOut: workedOut === text ? null : workedOut,
      stepsUp: holdsStepUp(text),
      isText,
    },
  ];
}
