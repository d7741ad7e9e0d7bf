/** A line that a search found, read from a result of the general shape `path:line: text` or `path:line`. */
export interface LineMatch {
  readonly path: string;
  readonly line: number;
  /** Empty when the result only says where. */
  readonly text: string;
}

const mostLines = 20_000;
const longestPath = 400;

/** The matches in a result, and the lines that are none. Linear in the text. */
export function readMatches(result: string): { readonly matches: LineMatch[]; readonly others: string[] } {
  const matches: LineMatch[] = [];
  const others: string[] = [];
  for (const line of result.split("\n").slice(0, mostLines)) {
    const match = readMatch(line);
    if (match !== null) matches.push(match);
    else if (line.trim() !== "") others.push(line);
  }
  return { matches, others };
}

function readMatch(line: string): LineMatch | null {
  const head = line.slice(0, longestPath + 10);
  const found = /:(\d{1,7})(?=:|\s|$)/.exec(head);
  if (found === null || found.index === 0) return null;
  const path = head.slice(0, found.index).trim();
  if (path === "" || path.includes("://") || path.includes(": ") || !/[\p{L}_]/u.test(path)) return null;
  const rest = line.slice(found.index + found[0].length);
  const text = rest.replace(/^:(?:\d{1,5}:)?/, "").trim();
  return { path, line: Number(found[1]), text };
}

/** Whether a character can be part of a word or identifier. */
function joins(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Where a word stands by itself in a text, or -1: `TODO` does not stand in `TODO_LABEL`. */
export function wordAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!joins(text[at - 1]) && !joins(text[at + word.length])) return at;
  }
  return -1;
}

const commentSigns = ["//", "#", "--", "/*", "<!--", ";", "%", "(*"];

/** Whether what stands at this place of a line is most likely in a comment: after a comment's sign, outside quotes. */
export function inComment(text: string, at: number): boolean {
  const before = text.slice(0, at).trimEnd();
  if (/^\s*\*/.test(before) || before === "*") return true;
  const sign = Math.max(...commentSigns.map((each) => before.lastIndexOf(each)));
  if (sign < 0) return false;
  const lead = before.slice(0, sign);
  return ['"', "`"].every((quote) => lead.split(quote).length % 2 === 1);
}

/** Paths that a result lists, one a line, as searches for file names do; at most `most`. */
export function listedPaths(result: string, most: number): string[] {
  const lines = result
    .split("\n")
    .slice(0, 500)
    .map((line) => line.trim());
  return lines
    .filter(
      (line) =>
        line.length < longestPath &&
        /^(?:\/|\.{0,2}\/|[A-Za-z]:\\|[\w@.-]+\/|[\w@-]+\.\w)[^\s:]*$/.test(line),
    )
    .slice(0, most);
}
