import type { PatternNode } from "./parse-pattern.ts";

/** One step of a backtracking matcher. Places are indices of steps. */
type Step =
  | { readonly type: "one"; readonly takes: (character: string) => boolean }
  | {
      readonly type: "run";
      readonly takes: (character: string) => boolean;
      readonly min: number;
      readonly max: number;
    }
  | { readonly type: "split"; first: number; second: number }
  | { readonly type: "jump"; to: number }
  | { readonly type: "edge"; readonly kind: "^" | "$" | "\\b" | "\\B" }
  | {
      readonly type: "look";
      readonly steps: readonly Step[];
      readonly width: number;
      readonly negated: boolean;
    }
  | { readonly type: "mark"; readonly slot: number }
  | { readonly type: "moved"; readonly slot: number }
  | { readonly type: "end" };

/** Repetitions that are written out; more count as any number. */
const mostCopies = 40;

/** How many characters a node takes, if that is always as many. */
function widthOf(node: PatternNode): number {
  if (node.type === "one") return 1;
  if (node.type === "edge" || node.type === "look") return 0;
  if (node.type === "group") return widthOf(node.body);
  if (node.type === "all") return node.parts.reduce((sum, part) => sum + widthOf(part), 0);
  const widths = node.type === "any" ? new Set(node.choices.map(widthOf)) : new Set<number>();
  const [width] = widths;
  if (width === undefined || widths.size !== 1)
    throw new Error("A look behind of changing width is not read");
  return width;
}

/** The steps of a tree, with `end` behind. */
export function compilePattern(tree: PatternNode): readonly Step[] {
  const steps: Step[] = [];
  let slots = 0;

  function addLoop(body: PatternNode, min: number, max: number, lazy: boolean): void {
    if (body.type === "one" && !lazy) {
      steps.push({ type: "run", takes: body.takes, min, max });
      return;
    }
    const least = Math.min(min, mostCopies);
    for (let count = 0; count < least; count++) add(body);
    const endless = max > mostCopies;
    for (let count = least; count < (endless ? least + 1 : max); count++) {
      const split = { type: "split" as const, first: 0, second: 0 };
      const start = steps.push(split) - 1;
      const slot = slots++;
      steps.push({ type: "mark", slot });
      add(body);
      steps.push({ type: "moved", slot });
      if (endless) steps.push({ type: "jump", to: start });
      split.first = lazy ? steps.length : start + 1;
      split.second = lazy ? start + 1 : steps.length;
    }
  }

  function addChoices([first, ...others]: readonly PatternNode[]): void {
    if (first === undefined) return;
    if (others.length === 0) {
      add(first);
      return;
    }
    const split = { type: "split" as const, first: steps.length + 1, second: 0 };
    steps.push(split);
    add(first);
    const jump = { type: "jump" as const, to: 0 };
    steps.push(jump);
    split.second = steps.length;
    addChoices(others);
    jump.to = steps.length;
  }

  function add(node: PatternNode): void {
    if (node.type === "one") steps.push({ type: "one", takes: node.takes });
    else if (node.type === "edge") steps.push({ type: "edge", kind: node.kind });
    else if (node.type === "group") add(node.body);
    else if (node.type === "all") for (const part of node.parts) add(part);
    else if (node.type === "any") addChoices(node.choices);
    else if (node.type === "loop") addLoop(node.body, node.min, node.max, node.lazy);
    else {
      const width = node.behind ? widthOf(node.body) : 0;
      steps.push({ type: "look", steps: compilePattern(node.body), width, negated: node.negated });
    }
  }

  add(tree);
  steps.push({ type: "end" });
  return steps;
}

const tooMany = Symbol("too many steps");

const word = /^\w$/;

function holds(
  kind: "^" | "$" | "\\b" | "\\B",
  text: readonly string[],
  at: number,
  lines: boolean,
): boolean {
  if (kind === "^") return at === 0 || (lines && text[at - 1] === "\n");
  if (kind === "$") return at === text.length || (lines && text[at] === "\n");
  const edge = word.test(text[at - 1] ?? "") !== word.test(text[at] ?? "");
  return edge === (kind === "\\b");
}

/**
 * Counts the steps that a backtracking engine takes to look for a pattern everywhere in a text, infinity beyond `most`, and
 * says where the first match ends. A sticky pattern is tried at every place, as whoever reads a text with it does.
 */
export function countSteps(
  steps: readonly Step[],
  flags: string,
  text: string,
  most: number,
): { readonly count: number; readonly end: number | null } {
  const characters = flags.includes("u") ? Array.from(text) : text.split("");
  let count = 0;
  const lines = flags.includes("m");
  const tick = (by: number): void => {
    count += by;
    if (count > most) throw tooMany;
  };

  /** Where a match that starts there ends, or -1. */
  function matchAt(program: readonly Step[], start: number): number {
    // Where to go on when this way fails: for a run, all the places down to `least`.
    const ways: { at: number; place: number; least: number; marks: readonly number[] }[] = [];
    let at = start;
    let place = 0;
    let marks: readonly number[] = [];
    for (;;) {
      tick(1);
      const step = program[place++];
      let failed = false;
      if (step === undefined || step.type === "end") return at;
      if (step.type === "one") {
        const character = characters[at++];
        failed = character === undefined || !step.takes(character);
      } else if (step.type === "run") {
        let end = at;
        const limit = Math.min(characters.length, at + step.max);
        while (end < limit && step.takes(characters[end] ?? "")) end += 1;
        tick(end - at);
        failed = end - at < step.min;
        if (!failed && end - at > step.min) ways.push({ at: end - 1, place, least: at + step.min, marks });
        at = end;
      } else if (step.type === "split") {
        ways.push({ at, place: step.second, least: at, marks });
        place = step.first;
      } else if (step.type === "jump") place = step.to;
      else if (step.type === "edge") failed = !holds(step.kind, characters, at, lines);
      else if (step.type === "mark") marks = Object.assign([...marks], { [step.slot]: at });
      else if (step.type === "moved") failed = marks[step.slot] === at;
      else {
        const from = at - step.width;
        failed = (from >= 0 && matchAt(step.steps, from) >= 0) === step.negated;
      }
      if (!failed) continue;
      const way = ways.at(-1);
      if (way === undefined) return -1;
      tick(1);
      ({ at, place, marks } = way);
      if (way.at > way.least) way.at -= 1;
      else ways.pop();
    }
  }

  let first: number | null = null;
  try {
    for (let start = 0; start <= characters.length; ) {
      const end = matchAt(steps, start);
      if (end >= 0) first ??= end;
      if (end >= 0 && !/[gy]/.test(flags)) break;
      start = end > start ? end : start + 1;
    }
  } catch (thrown) {
    if (thrown !== tooMany) throw thrown;
    return { count: Number.POSITIVE_INFINITY, end: first };
  }
  return { count, end: first };
}
