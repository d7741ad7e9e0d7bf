import { isAboutArgument, type PathCondition, type RuleCondition } from "./condition-words.ts";
import { exactText } from "./exact-text.ts";
import { type Glob, matchesGlob } from "./glob.ts";
import { matchesPattern } from "./pattern.ts";
import { type Rule, shownRule } from "./rules.ts";
import { mayBeSameName } from "./same-name.ts";
import type { Folder } from "./under.ts";

/** Each is compared with each. */
const mostConditions = 20;
/** Characters times steps of a regular expression: more would cost more than reading the rule does. */
const mostWork = 10_000;

/**
 * A sentence for each rule with two conditions of which one excludes the other: both must be met, so that whoever meant
 * one of them wrote a rule that does not do it. Not every such pair is found, and nothing else is told.
 */
export function contradictions(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => {
    const pair = excludingPair(rule);
    if (pair === null) return [];
    const [a, b] = pair.map(({ text }) => `\`${exactText(text)}\``);
    // A list may have a member for each, and a path be one thing as it stands and another one worked out.
    const isSure = rule.effect === "allow" || !pair.some(isAboutArgument);
    const what = isSure ? "matches nothing: nothing meets" : "hardly matches anything: few values meet";
    return [
      `The rule \`${shownRule(rule.text)}\` ${what} both ${a} and ${b}. Where either will do, write two rules.`,
    ];
  });
}

function excludingPair({ conditions, effect }: Rule): readonly [RuleCondition, RuleCondition] | null {
  if (conditions.length > mostConditions) return null;
  for (const [index, a] of conditions.entries()) {
    const b = conditions.slice(index + 1).find((other) => exclude(a, other, effect === "allow"));
    if (b !== undefined) return [a, b];
  }
  return null;
}

function exclude(a: RuleCondition, b: RuleCondition, allowing: boolean): boolean {
  if (isAboutArgument(a) && isAboutArgument(b)) return a.key === b.key && excludeTests(a, b, allowing);
  if (a.type === "trust" && b.type === "trust") return a.trusted !== b.trusted;
  if (a.type === "mode" && b.type === "mode") return a.mode !== b.mode;
  if (a.type === "principal" && b.type === "principal") return areApart(a.glob, b.glob);
  // What only a server that nobody trusts says counts as both, to ask or deny.
  if (a.type === "annotation" && b.type === "annotation")
    return allowing && a.name === b.name && a.value !== b.value;
  return false;
}

function excludeTests(a: PathCondition, b: PathCondition, allowing: boolean): boolean {
  if (a.type === "glob" && b.type === "glob") {
    const of = ({ glob, bare }: typeof a) => (allowing || bare === null ? [glob] : [glob, bare]);
    return of(a).every((one) => of(b).every((other) => areApart(one, other)));
  }
  if (a.type === "host" && b.type === "host") return areApart(a.glob, b.glob);
  if (a.type === "under" && b.type === "under") return areFoldersApart(a.folder, b.folder);
  const [glob, regex] = a.type === "glob" ? [a, b] : [b, a];
  if (glob.type !== "glob" || regex.type !== "regex" || glob.glob.exact === null) return false;
  const { exact } = glob.glob;
  const isTooMuch = exact.length * regex.pattern.steps.length > mostWork;
  return !isTooMuch && matchesPattern(regex.pattern, exact) === false;
}

/** Whether surely no text fits both. */
function areApart(a: Glob, b: Glob): boolean {
  if (a.exact !== null) return !matchesGlob(b, a.exact);
  if (b.exact !== null) return !matchesGlob(a, b.exact);
  const starts = a.start.startsWith(b.start) || b.start.startsWith(a.start);
  const ends = a.end.endsWith(b.end) || b.end.endsWith(a.end);
  return !starts || !ends;
}

/** Relative ones go from the same folder. Names are told apart as where a rule asks or denies. */
function areFoldersApart(a: Folder, b: Folder): boolean {
  if (a.absolute !== b.absolute) return false;
  return a.segments.some((segment, index) => {
    const other = b.segments[index];
    return other !== undefined && mayBeSameName(segment, other) === false;
  });
}
