import type { Exchange } from "./history.ts";
import { inComment, type LineMatch, readMatches, wordAt } from "./matches.ts";
import type { Goal } from "./question.ts";

interface Sorted {
  /** Matches by the word they hold; in a comment when comments were asked for. */
  readonly wanted: readonly (LineMatch & { readonly kind: string })[];
  readonly others: readonly LineMatch[];
}

/** Lines that were found in files, the words they were searched for, and what else was said. */
export interface FoundLines {
  readonly matches: readonly LineMatch[];
  readonly terms: readonly string[];
  readonly notes: readonly string[];
}

/** The lines that a search in files found, or null when the results hold no lines of files. */
export function foundLines(answered: readonly Exchange[]): FoundLines | null {
  const read = answered.map((exchange) => readMatches(exchange.text));
  const matches = read.flatMap((each) => each.matches);
  const notes = read.flatMap((each) => each.others);
  if (matches.length === 0 || notes.length > matches.length + 5) return null;
  return { matches, terms: termsOf(answered), notes };
}

/** Found lines by file, with their numbers by kind. */
export function matchesText(
  goal: Goal,
  { matches, terms, notes }: FoundLines,
): { readonly headline: string; readonly body: string } {
  const all = uniqueMatches(matches);
  const comments = goal.tokens.some((token) => token.stems.includes("comment") || token.kind === "marker");
  const { wanted, others } = sortMatches(all, terms, comments);
  const noun = comments ? "comment" : "line";
  const files = new Set(wanted.map((match) => match.path)).size;
  const kinds = terms.map((term) => ({ term, count: wanted.filter((match) => match.kind === term).length }));
  const counts =
    kinds.length > 1 ? ` (${kinds.map(({ term, count }) => `${count} ${term}`).join(", ")})` : "";
  const named = terms.length > 0 ? ` with ${terms.join(" or ")}` : "";
  const headline = `${plural(wanted.length, noun)}${named} in ${plural(files, "file")}${counts}.`;
  const asked = goal.tokens
    .filter((token) => token.kind === "marker")
    .flatMap((token) => token.text.split("|"));
  const added = asked.length > 0 ? terms.filter((term) => !asked.includes(term)) : [];
  const parts = [byFile(wanted)];
  if (added.length > 0)
    parts.unshift(
      `${added.join(", ")} marks the same kind of note as ${asked.join(", ")} and was searched for, too.`,
    );
  if (others.length > 0) {
    parts.push(
      `Not counted, because the word does not stand ${comments ? "by itself in a comment" : "by itself"}:\n${byFile(others)}`,
    );
  }
  if (notes.length > 0) parts.push(`Beside this:\n${notes.slice(0, 10).join("\n")}`);
  return { headline, body: parts.filter((part) => part !== "").join("\n\n") };
}

function uniqueMatches(matches: readonly LineMatch[]): LineMatch[] {
  return [...new Map(matches.map((match) => [`${match.path}:${match.line}`, match])).values()];
}

/** The alternatives that were searched for: the pattern of the calls. */
function termsOf(answered: readonly Exchange[]): string[] {
  const patterns = answered.flatMap((exchange) =>
    ["pattern", "query", "search"].flatMap((name) => {
      const value = Object.hasOwn(exchange.arguments, name) ? exchange.arguments[name] : undefined;
      return typeof value === "string" ? value.split("|") : [];
    }),
  );
  return [...new Set(patterns.filter((pattern) => pattern !== ""))];
}

function sortMatches(all: readonly LineMatch[], terms: readonly string[], comments: boolean): Sorted {
  const wanted: (LineMatch & { kind: string })[] = [];
  const others: LineMatch[] = [];
  for (const match of all) {
    const kind = terms.find((term) => {
      const at = wordAt(match.text, term);
      return at >= 0 && (!comments || inComment(match.text, at));
    });
    if (kind !== undefined) wanted.push({ ...match, kind });
    else if (comments && terms.length > 0 && match.text !== "") others.push(match);
    else wanted.push({ ...match, kind: terms[0] ?? "" });
  }
  return { wanted, others };
}

function byFile(matches: readonly (LineMatch & { readonly kind?: string })[]): string {
  const files = new Map<string, { readonly line: number; readonly text: string }[]>();
  for (const match of matches) {
    const inFile = files.get(match.path);
    if (inFile === undefined) files.set(match.path, [match]);
    else inFile.push(match);
  }
  return [...files]
    .map(([path, inFile]) => {
      inFile.sort((a, b) => a.line - b.line);
      const lines = inFile.map(({ line, text }) => `  ${path}:${line}${text === "" ? "" : `: ${text}`}`);
      return [`${path} (${inFile.length})`, ...lines].join("\n");
    })
    .join("\n");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
