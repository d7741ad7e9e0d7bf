import { withoutEnd } from "../../util/without-end.ts";

/** A message as the model gets it, with the files it names. */
export interface ParsedMessage {
  readonly text: string;
  /** Their paths as they were typed, in order, each once. */
  readonly mentions: readonly string[];
}

/** After an opening bracket or a quote, a path may begin as well as after white space. */
const opensBefore = /[\s([{"'`]/;
/** Marks that end a sentence more often than a file's name. */
const endMarks = ".,;:!?)]}\"'`";

/** Names that are looked at; a text with more of them is no message that somebody typed. */
const mostNames = 200;

/** The path that begins at `at`, behind the `@`; empty when there is none. */
function pathAt(text: string, at: number): string {
  if (text[at] === '"') {
    const end = text.indexOf('"', at + 1);
    return end < 0 ? "" : text.slice(at + 1, end);
  }
  return /^\S*/.exec(text.slice(at, at + 4096))?.[0] ?? "";
}

/**
 * Finds `@path` and `@"path with spaces"`. An `@` inside of a word, as in an address, is none, and `\@` is written as
 * `@`. `exists` decides whether marks at the end of a word belong to its path.
 */
export async function parseMessage(
  typed: string,
  exists: (path: string) => Promise<boolean>,
): Promise<ParsedMessage> {
  const paths = new Set<string>();
  let text = "";
  let from = 0;
  for (let at = typed.indexOf("@"); at >= 0; at = typed.indexOf("@", at + 1)) {
    if (paths.size >= mostNames) break;
    const before = at === 0 ? " " : (typed[at - 1] ?? " ");
    if (before === "\\") {
      text += `${typed.slice(from, at - 1)}@`;
      from = at + 1;
      continue;
    }
    if (!opensBefore.test(before)) continue;
    const path = pathAt(typed, at + 1);
    const bare = withoutEnd(path, endMarks);
    if (path === "" || bare === "") continue;
    paths.add(path !== bare && !(await exists(path)) ? bare : path);
  }
  return { text: text + typed.slice(from), mentions: [...paths] };
}

/**
 * A pasted text with a backslash before each `@` that would name a file: only a file that the person named is sent, not
 * one that is named in what they copied. A pasted word alone is left as it is.
 */
export function withoutMentions(pasted: string): string {
  if (!/\s/.test(pasted.trim())) return pasted;
  return pasted.replace(/(^|[\s([{"'`\\])@/g, "$1\\@");
}
