import { compilePattern, countSteps } from "./count-steps.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { nodesOf, parsePattern } from "./parse-pattern.ts";

const shorter = 160;
const longer = 4 * shorter;
/** A linear pattern takes four times as many steps for the longer text, a quadratic one sixteen times. */
const mostGrowth = 8;
/** Fewer steps a character than that are no sign of anything. */
const noSign = 5;
/** Steps a character at which counting ends. */
const mostSteps = 300;

/** A short text in which a pattern is found elsewhere than its engine finds it, or null: what counts steps must match alike. */
export function matchesOtherwise(source: string, flags: string): string | null {
  const tree = parsePattern(source, flags);
  const steps = compilePattern(tree);
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ""));
  for (const text of hostileTexts(tree, 12)) {
    const found = pattern.exec(text);
    const units = found === null ? null : text.slice(0, found.index + found[0].length);
    const expected = units === null ? null : (flags.includes("u") ? Array.from(units) : units).length;
    const { end } = countSteps(steps, flags, text, Number.POSITIVE_INFINITY);
    if (end !== expected) return text;
  }
  return null;
}

/** The beginning of a text for which the pattern's time grows faster than the text, or null. */
export function growsOn(source: string, flags: string): string | null {
  const tree = parsePattern(source, flags);
  if (!nodesOf(tree).some((node) => node.type === "loop" && node.max > 100)) return null;
  const steps = compilePattern(tree);
  const texts = hostileTexts(tree, longer);
  for (const text of hostileTexts(tree, shorter)) {
    const long: string = texts.next().value ?? "";
    const { count: before } = countSteps(steps, flags, text, mostSteps * text.length);
    if (before < noSign * text.length) continue;
    const { count: after } = countSteps(steps, flags, long, mostSteps * long.length);
    if (after > mostGrowth * before || after === Number.POSITIVE_INFINITY) return long.slice(0, 40);
  }
  return null;
}

/** Characters of two UTF-16 units. */
const pairs = ["\u{1f600}", "\u{10400}", "\u{20000}", "\u{1d167}", "\u{e0001}"];

/**
 * Whether V8 may keep a way back for each repetition of a loop: it has room for some 5 million and throws a RangeError
 * beyond. None is kept for `x*` where x is one UTF-16 unit; for `x+`, and for few repetitions more, there is none until a
 * process has made much code of patterns, then there is; `x{4,}`, choices and groups have them always.
 */
export function keepsWaysBack(source: string, flags: string): boolean {
  return nodesOf(parsePattern(source, flags)).some((node) => {
    if (node.type !== "loop" || node.max < 1_000_000) return false;
    const { body, min, max, lazy } = node;
    if (body.type !== "one" || min > 0 || max < Number.POSITIVE_INFINITY || lazy) return true;
    return flags.includes("u") && pairs.some(body.takes);
  });
}
