/**
 * A pattern as tokens: literal text, `*` (within one path segment), `**` (anything), and `**` with the separator
 * behind it (any folders, or none).
 */
export interface Glob {
  readonly tokens: readonly GlobToken[];
  /** Characters that must appear as they are; infinite without a wildcard. The measure of how specific it is. */
  readonly literal: number;
}

export type GlobToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "segment" }
  | { readonly type: "anything" }
  | { readonly type: "folders" };

export function createGlob(tokens: readonly GlobToken[]): Glob {
  const exact = tokens.every((token) => token.type === "text");
  const length = tokens.reduce((sum, token) => sum + (token.type === "text" ? token.text.length : 0), 0);
  return { tokens, literal: exact ? Number.POSITIVE_INFINITY : length };
}

/** One position of a pattern: a character to read, or a wildcard. `enter` leads into folders or past them. */
type Step = { readonly type: "character"; readonly character: string } | { readonly type: Wildcard };
type Wildcard = "segment" | "anything" | "enter" | "folders";

/**
 * Whether the whole text fits. All positions of the pattern that are still possible move along the text together: the
 * time is at most the text's length times the pattern's, whatever the two are.
 */
export function matchesGlob(glob: Glob, text: string): boolean {
  const steps = glob.tokens.flatMap(toSteps);
  const last = steps.at(-1)?.type === "anything" ? steps.length - 1 : -1;
  let active = follow(steps, new Set([0]));
  for (let at = 0; at < text.length && active.size > 0; at++) {
    if (active.has(last)) return true;
    active = follow(steps, advance(steps, active, text.charAt(at)));
  }
  return active.has(steps.length);
}

function toSteps(token: GlobToken): Step[] {
  switch (token.type) {
    case "text":
      return token.text.split("").map((character) => ({ type: "character", character }));
    case "folders":
      return [{ type: "enter" }, { type: "folders" }];
    default:
      return [{ type: token.type }];
  }
}

function isSeparator(character: string): boolean {
  return character === "/" || character === "\\";
}

/** Adds the positions that are reached without reading a character. */
function follow(steps: readonly Step[], active: Set<number>): Set<number> {
  for (const at of active) {
    const type = steps[at]?.type;
    if (type === "segment" || type === "anything" || type === "enter") active.add(at + 1);
    if (type === "enter") active.add(at + 2);
  }
  return active;
}

function advance(steps: readonly Step[], active: ReadonlySet<number>, character: string): Set<number> {
  const next = new Set<number>();
  for (const at of active) {
    const step = steps[at];
    if (step === undefined || step.type === "enter") continue;
    if (step.type === "character") {
      if (step.character === character) next.add(at + 1);
      continue;
    }
    if (step.type !== "segment" || !isSeparator(character)) next.add(at);
    if (step.type === "folders" && isSeparator(character)) next.add(at + 1);
  }
  return next;
}
