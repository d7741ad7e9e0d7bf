import { own } from "../util/own.ts";

/** What is wrong with a JSON text, for the model. `truncated`: it ends before its value does. */
export interface JsonProblem {
  readonly problem: string;
  readonly truncated: boolean;
}

const maxDepth = 64;
const whitespace = new Set([" ", "\t", "\n", "\r"]);
const literals: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const numberLike = /[-+.\w]+/y;

/** An object or array that is still open; an object keeps the keys it has seen. */
interface Open {
  readonly keys: Set<string> | null;
}

type Expect = "value" | "value_or_close" | "key" | "key_or_close" | "comma_or_close";

interface Scan {
  readonly text: string;
  at: number;
  expect: Expect;
  readonly open: Open[];
}

/**
 * Finds what `JSON.parse` does not tell: duplicate keys, numbers that would change their value, deep nesting, and
 * whether a broken text is only cut short. One pass, linear. It leaves the inside of strings to `JSON.parse`.
 */
export function scanJson(text: string): JsonProblem | null {
  const scan: Scan = { text, at: 0, expect: "value", open: [] };
  for (;;) {
    while (whitespace.has(text.charAt(scan.at))) scan.at++;
    if (scan.expect === "comma_or_close" && scan.open.length === 0) {
      return scan.at === text.length ? null : broken(scan, "there is text behind the value");
    }
    if (scan.at >= text.length) return { problem: "the JSON ends early", truncated: true };
    const problem = step(scan);
    if (problem !== null) return problem;
  }
}

function broken(scan: Scan, what: string): JsonProblem {
  return { problem: `it is not valid JSON: ${what} at character ${scan.at + 1}`, truncated: false };
}

function refused(problem: string): JsonProblem {
  return { problem, truncated: false };
}

function step(scan: Scan): JsonProblem | null {
  const character = scan.text.charAt(scan.at);
  const inside = scan.open.at(-1);
  if (character === "}" || character === "]") return close(scan, character, inside);
  if (scan.expect === "comma_or_close") {
    if (character !== ",") return broken(scan, "a comma or a closing bracket is missing");
    scan.at++;
    scan.expect = inside?.keys ? "key" : "value";
    return null;
  }
  if (scan.expect === "key" || scan.expect === "key_or_close") return key(scan, inside?.keys ?? new Set());
  return value(scan, character);
}

function close(scan: Scan, character: string, inside: Open | undefined): JsonProblem | null {
  const fits = inside !== undefined && (character === "}") === (inside.keys !== null);
  if (!fits || !scan.expect.endsWith("close")) return broken(scan, `"${character}" does not fit`);
  scan.open.pop();
  scan.at++;
  scan.expect = "comma_or_close";
  return null;
}

function key(scan: Scan, keys: Set<string>): JsonProblem | null {
  if (scan.text.charAt(scan.at) !== '"') return broken(scan, "a key in double quotes is missing");
  const start = scan.at;
  const problem = string(scan);
  if (problem !== null) return problem;
  const name = decodeKey(scan.text.slice(start, scan.at));
  if (name === null) return broken(scan, "the key before this place is not valid");
  if (keys.has(name)) {
    return refused(`the key ${JSON.stringify(name.slice(0, 60))} appears twice in one object`);
  }
  keys.add(name);
  while (whitespace.has(scan.text.charAt(scan.at))) scan.at++;
  if (scan.at >= scan.text.length) return { problem: "the JSON ends early", truncated: true };
  if (scan.text.charAt(scan.at) !== ":") return broken(scan, "a colon is missing");
  scan.at++;
  scan.expect = "value";
  return null;
}

/** Two spellings of one key (`"a"`, `"\u0061"`) are the same key. */
function decodeKey(quoted: string): string | null {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

function string(scan: Scan): JsonProblem | null {
  for (let at = scan.at + 1; at < scan.text.length; at++) {
    const code = scan.text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) {
      scan.at = at + 1;
      return null;
    }
  }
  return { problem: "the JSON ends early, inside a string", truncated: true };
}

function value(scan: Scan, character: string): JsonProblem | null {
  if (character === "{" || character === "[") {
    if (scan.open.length >= maxDepth) return refused(`it is nested deeper than ${maxDepth} levels`);
    scan.open.push({ keys: character === "{" ? new Set() : null });
    scan.at++;
    scan.expect = character === "{" ? "key_or_close" : "value_or_close";
    return null;
  }
  scan.expect = "comma_or_close";
  if (character === '"') return string(scan);
  const literal = own(literals, character);
  if (literal === undefined) return numeric(scan);
  if (scan.text.startsWith(literal, scan.at)) {
    scan.at += literal.length;
    return null;
  }
  if (literal.startsWith(scan.text.slice(scan.at)))
    return { problem: "the JSON ends early", truncated: true };
  return broken(scan, "a value is missing");
}

function numeric(scan: Scan): JsonProblem | null {
  numberLike.lastIndex = scan.at;
  const written = numberLike.exec(scan.text)?.[0] ?? "";
  number.lastIndex = scan.at;
  const token = number.exec(scan.text)?.[0] ?? "";
  if (token === "" || token !== written) return notANumber(scan, token, written);
  const parsed = Number(token);
  const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
  if (!Number.isFinite(parsed)) return refused(`the number ${shown} is too large`);
  if (Math.abs(parsed) > Number.MAX_SAFE_INTEGER && !/[eE]/.test(token)) {
    return refused(
      `the number ${shown} is too large to be exact (beyond 2^53-1); write it as a string if the tool takes one`,
    );
  }
  scan.at += token.length;
  return null;
}

function notANumber(scan: Scan, token: string, written: string): JsonProblem {
  const rest = written.slice(token.length);
  const atEnd = scan.at + written.length === scan.text.length;
  if (atEnd && written !== "" && /^(?:-|\.|[eE][+-]?)$/.test(rest)) {
    return { problem: "the JSON ends early", truncated: true };
  }
  if (/^[-+]?(?:NaN|Infinity)$/.test(written)) return refused(`${written} is no number of JSON`);
  return broken(scan, "a value is missing");
}
