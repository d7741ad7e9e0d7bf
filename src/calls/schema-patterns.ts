import { charge, type Meter } from "./schema-meter.ts";

/** What Ajv asks of a regular expression. `toString` is its key: only equal patterns may share one. */
interface PatternMatcher {
  test(text: string): boolean;
  toString(): string;
}

/** The patterns of one schema. */
export interface Patterns {
  /** A linear-time matcher, or null when the pattern is not supported or too large. */
  compile(pattern: string): PatternMatcher | null;
}

/** The part of `re2js` that is used. */
export interface LinearEngine {
  translateRegExp(pattern: string): string;
  compile(pattern: string): { test(text: string): boolean };
}

const longestPattern = 1000;
const largestProgram = 2500;
const largestTotal = 20_000;
/** Program steps that cost about as much as one node of a schema. */
const stepsPerNode = 64;

/** Patterns on an engine whose time is linear in the text, whatever the pattern; their sizes are bounded as well. */
export function createPatterns(engine: LinearEngine, meter: Meter): Patterns {
  const known = new Map<string, PatternMatcher | null>();
  let total = 0;

  function build(pattern: string): PatternMatcher | null {
    if (pattern.length > longestPattern) return null;
    const size = estimateProgram(pattern);
    if (size > largestProgram || total + size > largestTotal) return null;
    total += size;
    try {
      const compiled = engine.compile(engine.translateRegExp(pattern));
      return {
        test(text) {
          charge(meter, 1 + (text.length * size) / stepsPerNode);
          return compiled.test(text);
        },
        toString: () => pattern,
      };
    } catch {
      return null;
    }
  }

  return {
    compile(pattern) {
      let matcher = known.get(pattern);
      if (matcher === undefined) {
        matcher = build(pattern);
        known.set(pattern, matcher);
      }
      return matcher;
    },
  };
}

const repeat = /\{(\d{1,6})(?:,(\d{0,6}))?\}/y;
const escaped = /\\(?:[pPxu]\{[^}]*\}|[\s\S]?)/y;
const characterClass = /\[\^?\]?(?:[^\]\\]|\\[\s\S])*\]?/y;

/** About how many instructions a pattern becomes once its counted repeats are written out; never compiles it. */
function estimateProgram(pattern: string): number {
  const groups = [2];
  let atom = 0;
  const add = (size: number) => {
    groups.push((groups.pop() ?? 0) + size);
  };
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at);
    const token = tokenAt(pattern, at, character);
    at += token.length;
    if (character === "(") groups.push(0);
    else if (character === "{" && token.length > 1) {
      const [low = 0, high = 0] = token.match(/\d+/g)?.map(Number) ?? [];
      const times = Math.max(low, high, 1);
      add(atom * (times - 1) + 1);
      atom *= times;
    } else {
      atom = character === ")" && groups.length > 1 ? (groups.pop() ?? 0) + 2 : 1;
      add(atom);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

function tokenAt(pattern: string, at: number, character: string): string {
  const shape = character === "\\" ? escaped : character === "[" ? characterClass : repeat;
  shape.lastIndex = at;
  return shape.exec(pattern)?.[0] ?? character;
}
