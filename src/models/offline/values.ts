import type { Goal } from "./question.ts";
import type { Token } from "./tokens.ts";
import { extensionOf, isAction, isTelling, sameAction, stem } from "./words.ts";

const places = new Set(["in", "under", "inside", "within", "below", "of", "at"]);
const folderStems = new Set(["folder", "directory", "dir"].map(stem));
/** Nouns that name the whole workspace or no place at all. */
const nowhere = new Set(
  (
    "project code codebase repo repository workspace source sources file files folder folders directory graph knowledge server " +
    "order detail details total general full case place use text content contents comment comments line lines tree sizes"
  ).split(" "),
);
const articles = new Set(["the", "a", "an", "my", "our", "this", "that", "all", "any", "every"]);
const leads = new Set("for about containing contain contains mentioning mention mentions".split(" "));
const stopsPhrase = new Set(["in", "under", "within", "inside", "from", "on", "at", "and"]);

const lower = (token: Token | undefined): string => (token?.kind === "word" ? token.text.toLowerCase() : "");

/** A folder that is named by a plain word: `in src`, `the server folder`, `the directory web`. */
export function folderWord(goal: Goal): Token | null {
  const { tokens } = goal;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "word" || !isTelling(token.stems[0] ?? "") || nowhere.has(lower(token))) continue;
    if (extensionOf(token.text) !== undefined) continue;
    const before = tokens[at - 1];
    const besideNoun = [before, tokens[at + 1]].some(
      (each) => each !== undefined && folderStems.has(each.stems[0] ?? ""),
    );
    if (besideNoun && !isAction(token.stems[0] ?? "")) return token;
    const last = at === tokens.length - 1 || token.end !== "" || places.has(lower(tokens[at + 1]));
    if (places.has(lower(before)) && last && /^[\w.-]+$/.test(token.text)) return token;
    if (/^(?:inside|in)$/.test(lower(before)) && /^[\w.-]+$/.test(token.text)) return token;
  }
  return null;
}

/** The words after `for`, `about` or the verb `grep` that say what to look for, up to the place to look in. */
export function searchPhrase(goal: Goal): readonly Token[] {
  const { tokens, action, actionAt } = goal;
  const lead = tokens.findIndex((token) => leads.has(lower(token)));
  let at = lead >= 0 ? lead + 1 : action === "grep" ? actionAt + 1 : tokens.length;
  const fill = new Set(["word", "words", "string", "phrase", "text", "lines", "containing", "with", "me"]);
  while (at < tokens.length && (articles.has(lower(tokens[at])) || fill.has(lower(tokens[at])))) at++;
  let end = at;
  while (end < tokens.length && !stopsPhrase.has(lower(tokens[end]))) end++;
  const phrase = tokens.slice(at, end);
  return phrase.every((token) => token.kind === "word" || token.kind === "name") ? phrase : [];
}

/** What stands behind the verb, for tools that say it again: `echo hello world`. */
export function spokenPhrase(goal: Goal): readonly Token[] {
  return goal.actionAt >= 0 ? goal.tokens.slice(goal.actionAt + 1) : [];
}

/** Tokens as text again. */
export function phraseText(tokens: readonly Token[]): string {
  return tokens.map((token, index) => token.text + (index < tokens.length - 1 ? token.end : "")).join(" ");
}

/**
 * The program and its arguments behind `run`. A command of several words stands in quotes, or is plain words without
 * anything that reads as a sentence; else null.
 */
export function commandLine(
  goal: Goal,
): { readonly words: readonly string[]; readonly tokens: readonly Token[] } | null {
  if (goal.action === null || !sameAction(goal.action, "run")) return null;
  const rest = goal.tokens.slice(goal.actionAt + 1);
  const quoted = rest.filter((token) => token.kind === "quoted");
  const [first] = quoted;
  if (first !== undefined && quoted.length === 1) {
    const at = rest.indexOf(first);
    const lead = rest
      .slice(0, at)
      .every((token) => articles.has(lower(token)) || /^(?:command|program)$/.test(lower(token)));
    if (lead && at === rest.length - 1) return { words: shellWords(first.text), tokens: [first] };
  }
  const sentence = rest.some((token) => articles.has(lower(token)) || stopsPhrase.has(lower(token)));
  if (rest.length === 0 || sentence || rest[0]?.kind === "quoted") return null;
  return { words: rest.map((token) => token.text), tokens: rest };
}

/** Words of a command line; quotes hold one together. No variable, pipe or glob is interpreted. */
function shellWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? "",
  );
}

/** The token that a word of the parameter's name points at: `type person`, `named Ada`, `from Ada`. */
export function linkedToken(
  goal: Goal,
  stems: readonly string[],
  usable: (token: Token) => boolean,
): Token | null {
  const last = stems.at(-1);
  const own = last === "nam" || last === "titl" ? [last, "call", "titl", "nam"] : [last];
  for (const [group, plain] of [
    [own, true],
    [stems, false],
  ] as const) {
    for (let at = 0; at < goal.tokens.length - 1; at++) {
      const token = goal.tokens[at];
      if (token?.kind !== "word" || token.end !== "" || !group.includes(token.stems[0] ?? "")) continue;
      let next = at + 1;
      while (
        ["is", "as", "a", "an", "the", "of"].includes(lower(goal.tokens[next])) &&
        next < goal.tokens.length
      )
        next++;
      const value = goal.tokens[next];
      if (value === undefined || !usable(value)) continue;
      if (value.kind !== "word") return value;
      const word = value.stems[0] ?? "";
      if (plain && isTelling(word) && !stems.includes(word) && !isAction(word) && !own.includes(word))
        return value;
    }
  }
  return null;
}

/** Whether a quoted text reads as a path or file name. */
export function readsAsPath(token: Token): boolean {
  return token.kind === "path" || (token.kind === "quoted" && /^[^\s].*(?:\/|\.\w{1,5}$)/.test(token.text));
}
