import {
  type ParsedPattern,
  type PatternNode,
  type Place,
  parsePattern,
  type Ranges,
} from "./pattern-parse.ts";
import { RuleProblem } from "./rule-problem.ts";

/** One step: read a character, go on at two places, ask for a place in the text, or the end of the pattern. */
type Step =
  | { readonly type: "read"; readonly ranges: Ranges; readonly negated: boolean }
  | { readonly type: "fork"; readonly first: number; readonly second: number }
  | { readonly type: "at"; readonly place: Place }
  | { readonly type: "end" };

/** A regular expression whose time is linear in the text. */
export interface Pattern {
  readonly source: string;
  readonly steps: readonly Step[];
  readonly ignoreCase: boolean;
  /** Whether it must fit the whole text, or somewhere in it. */
  readonly whole: boolean;
}

const mostSteps = 2500;
/** Steps of work for one text, which patterns and globs keep to; what would take more is not decided. */
export const mostWork = 20_000_000;

/**
 * Compiles a regular expression (see `parsePattern`). One that allows must fit the `whole` text, and its dot stands for
 * no line end; others may fit anywhere, and their dot stands for everything. Throws `RuleProblem`.
 */
export function createPattern(source: string, whole: boolean): Pattern {
  const parsed: ParsedPattern = parsePattern(source, !whole);
  const steps: Step[] = [];
  emit(parsed.node, steps, { left: mostSteps * 2 });
  steps.push({ type: "end" });
  return { source, steps, ignoreCase: parsed.ignoreCase, whole };
}

/** Counted repeats are written out; `budget` ends that before it becomes large. */
function emit(node: PatternNode, steps: Step[], budget: { left: number }): void {
  budget.left--;
  if (budget.left < 0 || steps.length > mostSteps) {
    throw new RuleProblem("the pattern is smaller: its counts make it too large");
  }
  switch (node.type) {
    case "set":
      steps.push({ type: "read", ranges: node.ranges, negated: node.negated });
      return;
    case "at":
      steps.push({ type: "at", place: node.place });
      return;
    case "sequence":
      for (const part of node.parts) emit(part, steps, budget);
      return;
    case "either":
      emitEither(node.parts, steps, budget);
      return;
    case "repeat":
      emitRepeat(node, steps, budget);
  }
}

function emitEither(parts: readonly PatternNode[], steps: Step[], budget: { left: number }): void {
  const ends: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1) {
      emit(part, steps, budget);
      continue;
    }
    const fork = steps.push({ type: "end" }) - 1;
    emit(part, steps, budget);
    ends.push(steps.push({ type: "end" }) - 1);
    steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
  }
  for (const end of ends) steps[end] = { type: "fork", first: steps.length, second: steps.length };
}

function emitRepeat(
  { part, least, most }: Extract<PatternNode, { type: "repeat" }>,
  steps: Step[],
  budget: { left: number },
): void {
  for (let count = 0; count < least; count++) emit(part, steps, budget);
  if (!Number.isFinite(most)) {
    const fork = steps.push({ type: "end" }) - 1;
    emit(part, steps, budget);
    steps.push({ type: "fork", first: fork, second: fork });
    steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
    return;
  }
  const forks: number[] = [];
  for (let count = least; count < most; count++) {
    forks.push(steps.push({ type: "end" }) - 1);
    emit(part, steps, budget);
  }
  for (const fork of forks) steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
}

/**
 * Whether the text fits, or null where that is too much work to say. All steps that are still possible move along the
 * text together: the time is at most the text's length times the pattern's, whatever the two are.
 */
export function matchesPattern(pattern: Pattern, text: string): boolean | null {
  const { steps, whole } = pattern;
  if (text.length * steps.length > mostWork) return null;
  const reached = new Int32Array(steps.length).fill(-1);
  let active: number[] = [];
  let next: number[] = [];
  follow(steps, 0, text, 0, reached, active);
  for (let at = 0; at < text.length; ) {
    if (!whole && reached[steps.length - 1] === at) return true;
    if (whole && active.length === 0) return false;
    const code = text.codePointAt(at) ?? 0;
    const behind = at + (code > 0xffff ? 2 : 1);
    next.length = 0;
    for (const position of active) {
      const step = steps[position];
      if (step?.type === "read" && reads(step, code, pattern.ignoreCase)) {
        follow(steps, position + 1, text, behind, reached, next);
      }
    }
    if (!whole) follow(steps, 0, text, behind, reached, next);
    at = behind;
    [active, next] = [next, active];
  }
  return reached[steps.length - 1] === text.length;
}

/** Adds a step and those that need no character to be reached from it. */
function follow(
  steps: readonly Step[],
  from: number,
  text: string,
  at: number,
  reached: Int32Array,
  into: number[],
): void {
  const open = [from];
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    const step = steps[position];
    if (step === undefined || reached[position] === at) continue;
    reached[position] = at;
    if (step.type === "fork") open.push(step.second, step.first);
    else if (step.type === "read") into.push(position);
    else if (step.type === "at" && isAt(step.place, text, at)) open.push(position + 1);
  }
}

function isAt(place: Place, text: string, at: number): boolean {
  if (place === "start") return at === 0;
  if (place === "end") return at === text.length;
  const isBoundary = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return isBoundary === (place === "boundary");
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    (code >= 0x61 && code <= 0x7a)
  );
}

function reads(step: Extract<Step, { type: "read" }>, code: number, ignoreCase: boolean): boolean {
  const isIn = inRanges(step.ranges, code) || (ignoreCase && inOtherCase(step.ranges, code));
  return isIn !== step.negated;
}

function inRanges(ranges: Ranges, code: number): boolean {
  for (const [low, high] of ranges) if (code >= low && code <= high) return true;
  return false;
}

function inOtherCase(ranges: Ranges, code: number): boolean {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].some((other) => {
    const [only, ...more] = other;
    return only !== undefined && more.length === 0 && inRanges(ranges, only.codePointAt(0) ?? 0);
  });
}
