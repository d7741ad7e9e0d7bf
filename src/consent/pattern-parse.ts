import { RuleProblem } from "./rule-problem.ts";

/** Inclusive ranges of code points, in order. */
export type Ranges = readonly (readonly [number, number])[];

/** A part of a pattern. */
export type PatternNode =
  | { readonly type: "set"; readonly ranges: Ranges; readonly negated: boolean }
  | { readonly type: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly type: "either"; readonly parts: readonly PatternNode[] }
  | { readonly type: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number }
  | { readonly type: "at"; readonly place: Place };

/** A place between two characters. */
export type Place = "start" | "end" | "boundary" | "inside";

export interface ParsedPattern {
  readonly node: PatternNode;
  readonly ignoreCase: boolean;
}

const longestPattern = 1000;
const mostRepeats = 1000;

const digits: Ranges = [[0x30, 0x39]];
const wordCharacters: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** White space and line ends of ECMAScript. */
const spaces: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const classes: Readonly<Record<string, Ranges>> = { d: digits, w: wordCharacters, s: spaces };
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/**
 * Reads a pattern in the syntax of ECMAScript with the flag `u`, without what has no linear-time matcher (lookaround,
 * back references) and without `\p{…}`. `(?i)` in front ignores case. Throws `RuleProblem`.
 */
export function parsePattern(text: string, dotMatchesLineEnds: boolean): ParsedPattern {
  if (text.length > longestPattern)
    throw new RuleProblem(`a pattern has at most ${longestPattern} characters`);
  const ignoreCase = text.startsWith("(?i)");
  const reader: Reader = {
    characters: Array.from(ignoreCase ? text.slice(4) : text),
    at: 0,
    dot: dotMatchesLineEnds ? [] : lineEnds,
  };
  const node = readEither(reader);
  if (reader.at < reader.characters.length) throw new RuleProblem("a ) in the pattern closes no (");
  return { node, ignoreCase };
}

interface Reader {
  readonly characters: readonly string[];
  at: number;
  /** What a dot does not stand for. */
  readonly dot: Ranges;
}

function take(reader: Reader, expected: string): boolean {
  if (reader.characters[reader.at] !== expected) return false;
  reader.at++;
  return true;
}

function readEither(reader: Reader): PatternNode {
  const parts = [readSequence(reader)];
  while (take(reader, "|")) parts.push(readSequence(reader));
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { type: "either", parts };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  for (;;) {
    const next = reader.characters[reader.at];
    if (next === undefined || next === "|" || next === ")") return { type: "sequence", parts };
    parts.push(readRepeats(reader, readAtom(reader, next)));
  }
}

function readRepeats(reader: Reader, part: PatternNode): PatternNode {
  const next = reader.characters[reader.at];
  const counted = next === "{" ? readCount(reader) : undefined;
  const [least, most] = counted ?? [next === "+" ? 1 : 0, next === "?" ? 1 : Number.POSITIVE_INFINITY];
  if (counted === undefined) {
    if (next !== "*" && next !== "+" && next !== "?") return part;
    reader.at++;
  }
  if (part.type === "at") throw new RuleProblem("a place such as ^ or \\b cannot be repeated in a pattern");
  // Whether a repeat is lazy changes what it takes, not whether the pattern fits.
  take(reader, "?");
  return { type: "repeat", part, least, most };
}

function readCount(reader: Reader): readonly [number, number] {
  const end = reader.characters.indexOf("}", reader.at);
  const inner = reader.characters.slice(reader.at + 1, end < 0 ? reader.at : end).join("");
  const found = /^(\d{1,4})(,(\d{0,4}))?$/.exec(inner);
  const least = Number(found?.[1]);
  const most =
    found?.[2] === undefined ? least : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
  if (found === null || most < least) {
    throw new RuleProblem("a { in the pattern begins a count such as {2} or {1,3}, or is written \\{");
  }
  if (least > mostRepeats || (Number.isFinite(most) && most > mostRepeats)) {
    throw new RuleProblem(`a count in the pattern is at most ${mostRepeats}`);
  }
  reader.at = end + 1;
  return [least, most];
}

function readAtom(reader: Reader, next: string): PatternNode {
  reader.at++;
  switch (next) {
    case "^":
      return { type: "at", place: "start" };
    case "$":
      return { type: "at", place: "end" };
    case ".":
      return { type: "set", ranges: reader.dot, negated: true };
    case "(":
      return readGroup(reader);
    case "[":
      return readSet(reader);
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
      throw new RuleProblem(`a ${next} in the pattern follows what it repeats, or is written \\${next}`);
    case "{":
    case "}":
    case "]":
      throw new RuleProblem(`a ${next} in the pattern that stands for itself is written \\${next}`);
    default:
      return single(next.codePointAt(0) ?? 0);
  }
}

function single(code: number): PatternNode {
  return { type: "set", ranges: [[code, code]], negated: false };
}

function readGroup(reader: Reader): PatternNode {
  if (take(reader, "?") && !take(reader, ":")) readGroupName(reader);
  const inner = readEither(reader);
  if (!take(reader, ")")) throw new RuleProblem("a ( in the pattern is closed by )");
  return inner;
}

function readGroupName(reader: Reader): void {
  const end = reader.characters.indexOf(">", reader.at);
  const name = reader.characters.slice(reader.at, Math.max(end, reader.at)).join("");
  if (!/^<[A-Za-z_$][\w$]*$/.test(name)) {
    throw new RuleProblem("the pattern may not look ahead or behind, and sets (?i) only in front");
  }
  reader.at = end + 1;
}

function readEscape(reader: Reader): PatternNode {
  const next = reader.characters[reader.at] ?? "";
  if (next === "b" || next === "B") {
    reader.at++;
    return { type: "at", place: next === "b" ? "boundary" : "inside" };
  }
  const set = readClass(reader);
  return set ?? single(readEscapedCharacter(reader, false));
}

/** `\d`, `\w`, `\s` or one of their opposites, behind the backslash. */
function readClass(reader: Reader): Extract<PatternNode, { type: "set" }> | null {
  const next = reader.characters[reader.at] ?? "";
  const ranges = Object.hasOwn(classes, next.toLowerCase()) ? classes[next.toLowerCase()] : undefined;
  if (ranges === undefined) return null;
  reader.at++;
  return { type: "set", ranges, negated: next !== next.toLowerCase() };
}

function readEscapedCharacter(reader: Reader, inSet: boolean): number {
  const next = reader.characters[reader.at++] ?? "";
  const control = Object.hasOwn(controls, next) ? controls[next] : undefined;
  if (control !== undefined) return control;
  if (next === "x" || next === "u") return readCode(reader, next);
  if (next !== "" && (`^$\\.*+?()[]{}|/`.includes(next) || (inSet && next === "-")))
    return next.charCodeAt(0);
  throw new RuleProblem(`\\${next} is not known in a pattern here; refer to no group, and use no \\p`);
}

function readCode(reader: Reader, kind: string): number {
  const rest = reader.characters.slice(reader.at, reader.at + 10).join("");
  const found = (kind === "x" ? /^([\da-f]{2})/i : /^(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/i).exec(rest);
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? "", 16);
  if (found === null || code > 0x10ffff) throw new RuleProblem(`\\${kind} is followed by a character's code`);
  reader.at += found[0].length;
  return code;
}

function readSet(reader: Reader): PatternNode {
  const negated = take(reader, "^");
  const ranges: (readonly [number, number])[] = [];
  while (!take(reader, "]")) {
    const low = readMember(reader);
    const isRange = reader.characters[reader.at] === "-" && reader.characters[reader.at + 1] !== "]";
    if (!isRange) {
      ranges.push(...(typeof low === "number" ? [[low, low] as const] : low));
      continue;
    }
    reader.at++;
    const high = readMember(reader);
    if (typeof low !== "number" || typeof high !== "number" || high < low) {
      throw new RuleProblem("a range in [ ] goes from one character to a later one, such as [a-z]");
    }
    ranges.push([low, high]);
  }
  return { type: "set", ranges, negated };
}

/** A character, or the ranges of a class. */
function readMember(reader: Reader): number | Ranges {
  const next = reader.characters[reader.at++];
  if (next === undefined) throw new RuleProblem("a [ in the pattern is closed by ]");
  if (next !== "\\") return next.codePointAt(0) ?? 0;
  if (take(reader, "b")) return 8;
  const set = readClass(reader);
  if (set === null) return readEscapedCharacter(reader, true);
  return set.negated ? opposite(set.ranges) : set.ranges;
}

function opposite(ranges: Ranges): Ranges {
  const gaps: (readonly [number, number])[] = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) gaps.push([from, low - 1]);
    from = high + 1;
  }
  return [...gaps, [from, 0x10ffff]];
}
