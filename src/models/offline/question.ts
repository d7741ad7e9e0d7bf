import { type Token, tokensOf } from "./tokens.ts";
import { extensionOf, isAction, isTelling, sameAction } from "./words.ts";

/** One thing that the question asks for. */
export interface Goal {
  readonly tokens: readonly Token[];
  /** Stem of the verb that says what to do, or null when it is asked as a question. */
  readonly action: string | null;
  /** Position of that verb in `tokens`; -1 without one. */
  readonly actionAt: number;
  /** Whether it asks something (`which …`, `is …`): then no tool that changes anything is chosen. */
  readonly asks: boolean;
  /** Whether it looks for text in files, for files by their names, or for neither. */
  readonly looksFor: "content" | "names" | null;
}

/** A question taken apart. */
export interface Question {
  readonly goals: readonly Goal[];
  /** It wants a summary of what is found. */
  readonly wantsSummary: boolean;
  /** It wants to see what is in the files that are found. */
  readonly wantsContents: boolean;
  /** Parts that ask to do something with what was found: these rules only extract. */
  readonly leftOut: readonly string[];
}

const mostGoals = 6;
const interrogatives = new Set([
  "what",
  "which",
  "where",
  "who",
  "when",
  "why",
  "how",
  "is",
  "are",
  "does",
  "did",
  "was",
]);
const fillers = new Set(["then", "also", "please", "now", "finally", "next"]);
const pronouns = new Set([
  "it",
  "its",
  "them",
  "their",
  "that",
  "those",
  "these",
  "this",
  "each",
  "everything",
]);

const lower = (token: Token | undefined): string => token?.text.toLowerCase() ?? "";

/** Takes a question apart. Deterministic and linear. */
export function parseQuestion(text: string): Question {
  const parts = split(tokensOf(text));
  const goals: Goal[] = [];
  let wantsSummary = false;
  let wantsContents = false;
  const leftOut: string[] = [];
  for (const part of parts) {
    const summary = part.some((token) => isSummaryWord(token));
    wantsSummary ||= summary;
    const goal = goalOf(part);
    if (goal === null) continue;
    const refersBack = goals.length > 0 && !part.some(isValue);
    if (refersBack && summary) continue;
    if (refersBack && part.some((token) => pronouns.has(lower(token)))) {
      if (goal.action !== null && sameAction(goal.action, "read")) wantsContents = true;
      else leftOut.push(part.map((token) => token.text).join(" "));
      continue;
    }
    if (goals.length < mostGoals) goals.push(goal);
  }
  return { goals, wantsSummary, wantsContents, leftOut };
}

/** Whether a token can be an argument by itself. */
export function isValue(token: Token): boolean {
  return token.kind !== "word";
}

function isSummaryWord(token: Token): boolean {
  return token.kind === "word" && /^(?:summar|overview|digest|recap|tl;dr)/i.test(token.text);
}

/** `create a summary of …` asks to look something up: the verb is about the answer. With a file to write it is an order. */
function isSummaryOrder(tokens: readonly Token[]): boolean {
  const summary = tokens.findIndex(isSummaryWord);
  const verb = tokens.findIndex((token) => token.kind === "word" && isAction(token.stems[0] ?? ""));
  const target = tokens.some(
    (token, at) => token.kind === "path" && /^(?:to|into|as)$/i.test(tokens[at - 1]?.text ?? ""),
  );
  return (
    summary > verb &&
    verb >= 0 &&
    !target &&
    ["creat", "mak", "writ", "giv", "show", "print", "get", "add"].includes(tokens[verb]?.stems[0] ?? "")
  );
}

/** Parts begin after a sentence's end, and after `and`, `then` or a comma where a verb follows. */
function split(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [];
  let part: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const joins = token.kind === "word" && (lower(token) === "and" || lower(token) === "then");
    if (joins && part.length > 0 && beginsPart(tokens, at + 1)) {
      parts.push(part);
      part = [];
      continue;
    }
    part.push(token);
    const ends = /[.?!;]/.test(token.end) || (token.end.includes(",") && beginsPart(tokens, at + 1));
    if (ends) {
      parts.push(part);
      part = [];
    }
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function beginsPart(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (fillers.has(lower(tokens[at]))) at++;
  const token = tokens[at];
  if (token?.kind !== "word") return false;
  return isAction(token.stems[0] ?? "") || isSummaryWord(token);
}

function goalOf(tokens: readonly Token[]): Goal | null {
  if (negates(tokens)) return null;
  const first = tokens.find((token) => !fillers.has(lower(token)));
  const asks = interrogatives.has(lower(first)) || /^(?:what|where|who|how)['’]s$/i.test(first?.text ?? "");
  const actionAt = isSummaryOrder(tokens)
    ? -1
    : tokens.findIndex((token) => token.kind === "word" && isAction(token.stems[0] ?? ""));
  const action = actionAt >= 0 ? (tokens[actionAt]?.stems[0] ?? null) : null;
  if (!tokens.some((token) => isValue(token) || token.stems.some(isTelling))) return null;
  return { tokens, action, actionAt, asks, looksFor: aimOf(tokens, action) };
}

/** Whether the first verb is one that must not be done: `do not delete`, `never run`. */
function negates(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex((token) => isAction(token.stems[0] ?? ""));
  const before = tokens.slice(Math.max(0, verb - 2), Math.max(0, verb));
  return before.some((token) => token.kind === "word" && /^(?:don['’]?t|never|not)$/i.test(token.text));
}

function aimOf(tokens: readonly Token[], action: string | null): Goal["looksFor"] {
  const searches = action === null || sameAction(action, "search") || sameAction(action, "list");
  if (!searches) return null;
  const words = new Set(tokens.map(lower));
  const has = (...wanted: string[]) => wanted.some((word) => words.has(word));
  const files = has("file", "files", "directories", "folders");
  const path = tokens.some((token) => token.kind === "path");
  if (
    files &&
    (has("named", "called", "ending", "extension", "matching") || tokens.some((t) => t.kind === "glob"))
  ) {
    return "names";
  }
  if (tokens.some((token) => token.kind === "marker" || token.kind === "code")) return "content";
  if (
    has("comment", "comments", "text", "line", "lines", "code", "string", "mention", "mentions", "containing")
  ) {
    return "content";
  }
  if (files && tokens.some((token) => token.kind === "quoted")) return "content";
  if (files && tokens.some((token) => extensionOf(token.text) !== undefined)) return "names";
  if (files && path && !has("in", "under")) return "names";
  return action === "grep" ? "content" : null;
}
