/** A compiled pattern. */
export interface Glob {
  /** One text for all ways to write the same parts. */
  readonly source: string;
  /** Made when they are first needed: most texts are told without. */
  readonly steps: () => readonly Step[];
  /** Characters that must appear as they are; infinite without a wildcard. The measure of how specific it is. */
  readonly literal: number;
  /** The one text that fits, when there is no wildcard. */
  readonly exact: string | null;
  /** Literal text at both ends: most texts that do not fit are told by these. */
  readonly start: string;
  readonly end: string;
  /** The longest literal text. */
  readonly middle: string;
  /** The wildcard when it is the only one, and not of folders. */
  readonly only: "segment" | "anything" | null;
}

/**
 * A part of a pattern: literal text, `*` (within one path segment), `**` (anything), and `**` with the separator
 * behind it (any folders, or none).
 */
export type GlobToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "segment" }
  | { readonly type: "anything" }
  | { readonly type: "folders" };

/** One position: a character code to read, or a wildcard. `enter` leads into folders or past them. */
type Step = number | "segment" | "anything" | "enter" | "folders";

export function createGlob(tokens: readonly GlobToken[]): Glob {
  const parts = merged(tokens);
  const [first] = parts;
  const last = parts.at(-1);
  const wildcards = parts.filter((part) => part.type !== "text");
  const [wildcard] = wildcards;
  const exact = wildcard !== undefined ? null : first?.type === "text" ? first.text : "";
  let steps: readonly Step[] | undefined;
  return {
    source: parts.map(written).join(""),
    steps: () => {
      steps ??= parts.flatMap(toSteps);
      return steps;
    },
    literal: exact === null ? literalLength(parts) : Number.POSITIVE_INFINITY,
    exact,
    start: first?.type === "text" ? first.text : "",
    end: last?.type === "text" ? last.text : "",
    middle: parts.reduce(
      (longest, part) => (part.type === "text" && part.text.length > longest.length ? part.text : longest),
      "",
    ),
    only: wildcards.length === 1 ? onlyOf(wildcard) : null,
  };
}

function onlyOf(wildcard: GlobToken | undefined): Glob["only"] {
  return wildcard?.type === "segment" || wildcard?.type === "anything" ? wildcard.type : null;
}

/** Texts next to each other are one. */
function merged(tokens: readonly GlobToken[]): readonly GlobToken[] {
  const parts: GlobToken[] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    if (token.type === "text" && last?.type === "text") {
      parts[parts.length - 1] = { type: "text", text: last.text + token.text };
    } else parts.push(token);
  }
  return parts;
}

function literalLength(parts: readonly GlobToken[]): number {
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}

function written(token: GlobToken): string {
  return token.type === "text" ? JSON.stringify(token.text) : `<${token.type}>`;
}

function toSteps(token: GlobToken): Step[] {
  switch (token.type) {
    case "text":
      return Array.from({ length: token.text.length }, (_, index) => token.text.charCodeAt(index));
    case "folders":
      return ["enter", "folders"];
    default:
      return [token.type];
  }
}

/**
 * Whether the whole text fits. All positions of the pattern that are still possible move along the text together: the
 * time is at most the text's length times the pattern's, whatever the two are.
 */
export function matchesGlob(glob: Glob, text: string): boolean {
  const { exact, start, end, middle, only } = glob;
  if (exact !== null) return exact === text;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  if (only !== null) {
    const length = text.length - start.length - end.length;
    return length >= 0 && (only === "anything" || !hasSeparator(text, start.length, start.length + length));
  }
  if (!text.includes(middle)) return false;
  const steps = glob.steps();
  const endless = steps.at(-1) === "anything" ? steps.length - 1 : -1;
  /** The character at which a position was last reached: each is followed once per character. */
  const reached = new Int32Array(steps.length + 1).fill(-1);
  let active: number[] = [];
  let next: number[] = [];
  reach(steps, 0, 0, reached, active);
  for (let at = 0; at < text.length && active.length > 0; at++) {
    if (endless >= 0 && reached[endless] === at) return true;
    next.length = 0;
    for (const position of active) read(steps, position, text.charCodeAt(at), at + 1, reached, next);
    [active, next] = [next, active];
  }
  return active.includes(steps.length);
}

function hasSeparator(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isSeparator(text.charCodeAt(at))) return true;
  return false;
}

function isSeparator(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}

/** Adds a position and those behind it that need no character. */
function reach(
  steps: readonly Step[],
  position: number,
  at: number,
  reached: Int32Array,
  into: number[],
): void {
  if (reached[position] === at) return;
  reached[position] = at;
  into.push(position);
  const step = steps[position];
  if (step === "segment" || step === "anything" || step === "enter") {
    reach(steps, position + 1, at, reached, into);
  }
  if (step === "enter") reach(steps, position + 2, at, reached, into);
}

function read(
  steps: readonly Step[],
  position: number,
  code: number,
  at: number,
  reached: Int32Array,
  into: number[],
): void {
  const step = steps[position];
  if (step === code) reach(steps, position + 1, at, reached, into);
  if (typeof step !== "string" || step === "enter") return;
  const separator = isSeparator(code);
  if (step !== "segment" || !separator) reach(steps, position, at, reached, into);
  if (step === "folders" && separator) reach(steps, position + 1, at, reached, into);
}
