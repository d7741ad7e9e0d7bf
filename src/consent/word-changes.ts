import { count, outsidePair } from "../util/one-line.ts";
import { visibleLine } from "../util/visible.ts";

/** Words that are compared; longer texts stand as a whole, cut. */
const mostWords = 600;
/** Words that stay around a difference. */
const around = 5;
const longestShown = 800;
const longestWhole = 200;

type Piece = { readonly type: "same" | "removed" | "added"; readonly words: readonly string[] };

/**
 * The difference of two texts by words, on one line: `[-removed-]`, `{+added+}`, and a few words around them. Escaped and
 * bounded; texts that are too long to be compared stand beside each other, cut.
 */
export function wordChanges(before: string, now: string): string {
  const [old, fresh] = [wordsOf(before), wordsOf(now)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, fresh.length) - start;
  while (end < room && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const [removed, added] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  if (removed.length > mostWords || added.length > mostWords) return wholeTexts(before, now);
  const pieces: Piece[] = [
    { type: "same", words: old.slice(0, start) },
    ...comparedPieces(removed, added),
    { type: "same", words: old.slice(old.length - end) },
  ];
  return bounded(shownPieces(pieces.filter(({ words }) => words.length > 0)));
}

/** Both texts, cut. */
export function wholeTexts(before: string | undefined, now: string | undefined): string {
  return `was ${quotedText(before)}, is ${quotedText(now)}`;
}

function quotedText(text: string | undefined): string {
  if (text === undefined) return "absent";
  const head = text.slice(0, outsidePair(text, Math.min(text.length, longestWhole)));
  const more = text.length - head.length;
  return `"${visibleLine(head)}${more > 0 ? `… ${count(more)} more characters` : ""}"`;
}

/** Words with the space before them. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The longest common sequence of words decides what stayed. */
function comparedPieces(old: readonly string[], fresh: readonly string[]): Piece[] {
  const width = fresh.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: { type: Piece["type"]; words: string[] }[] = [];
  const put = (type: Piece["type"], word: string | undefined) => {
    if (word === undefined) return;
    const last = pieces.at(-1);
    if (last?.type === type) last.words.push(word);
    else pieces.push({ type, words: [word] });
  };
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    if (row < old.length && old[row] === fresh[column]) {
      put("same", old[row++]);
      column += 1;
    } else if (row < old.length && (column >= fresh.length || at(row + 1, column) >= at(row, column + 1))) {
      put("removed", old[row++]);
    } else put("added", fresh[column++]);
  }
  return pieces;
}

const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;

function shownPieces(pieces: readonly Piece[]): string {
  return pieces
    .map(({ type, words }, index) => {
      const [open, close] = marks[type];
      const kept = type === "same" ? shortened(words, index > 0, index < pieces.length - 1) : words.join("");
      return `${open}${visibleLine(kept)}${close}`;
    })
    .join("")
    .trim();
}

/** The words next to a difference; what stayed far from one is left out. */
function shortened(words: readonly string[], isAfter: boolean, isBefore: boolean): string {
  const [head, tail] = [isAfter ? around : 0, isBefore ? around : 0];
  if (words.length <= head + tail + 1) return words.join("");
  const end = tail === 0 ? "" : words.slice(-tail).join("");
  return `${words.slice(0, head).join("")} …${end}`;
}

function bounded(text: string): string {
  if (text.length <= longestShown) return text;
  const head = text.slice(0, outsidePair(text, longestShown));
  return `${head}… ${count(text.length - head.length)} more characters`;
}
