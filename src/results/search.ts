import { count, oneLine, outsidePair } from "../util/one-line.ts";
import { utf8Length } from "../util/utf8.ts";
import type { Line } from "./lines.ts";

/** Characters of a line that are shown around a match. */
const excerptWidth = 300;

export interface Search {
  readonly search: string;
  /** Line to begin with, from 0. */
  readonly first: number;
  /** Most matches. */
  readonly most: number;
  /** Lines to show around each match. */
  readonly context: number;
  readonly caseSensitive: boolean;
  /** Most bytes of the answer. */
  readonly bytes: number;
}

/** The part of a line around a position, on one line of its own. */
function excerpt(text: string, line: Line, at: number): string {
  const end = text.charCodeAt(line.end - 1) === 10 ? line.end - 1 : line.end;
  if (end - line.start <= excerptWidth) return text.slice(line.start, end);
  const from = Math.max(line.start, Math.min(at - excerptWidth / 3, end - excerptWidth));
  const start = outsidePair(text, Math.floor(from));
  const stop = outsidePair(text, Math.min(end, start + excerptWidth));
  return `${start > line.start ? "…" : ""}${text.slice(start, stop)}${stop < end ? "…" : ""}`;
}

/** Numbers of matching lines and where in the text each match begins. A match may run on into the next line's part. */
function matches(text: string, lines: readonly Line[], wanted: Search): Map<number, number> {
  const needle = wanted.caseSensitive ? wanted.search : wanted.search.toLowerCase();
  const found = new Map<number, number>();
  for (let number = wanted.first; number < lines.length; number++) {
    const line = lines[number];
    if (line === undefined) break;
    const broken = text.charCodeAt(line.end - 1) !== 10;
    const written = text.slice(line.start, broken ? line.end + wanted.search.length - 1 : line.end);
    const at = (wanted.caseSensitive ? written : written.toLowerCase()).indexOf(needle);
    if (at !== -1) found.set(number, line.start + at);
  }
  return found;
}

/** Lines that contain a plain text, as `number: line`, with context as `number- line`. */
export function searchLines(text: string, lines: readonly Line[], wanted: Search): string {
  const found = matches(text, lines, wanted);
  const shown: string[] = [];
  let left = wanted.bytes;
  let done = 0;
  let last = -1;
  let next = -1;
  for (const [number, at] of found) {
    const block: string[] = [];
    const from = Math.max(last + 1, number - wanted.context);
    const to = Math.min(lines.length - 1, number + wanted.context);
    if (last !== -1 && from > last + 1 && wanted.context > 0) block.push("--");
    for (let other = from; other <= to; other++) {
      const line = lines[other];
      if (line === undefined) break;
      const position = found.get(other) ?? (other === number ? at : line.start);
      block.push(`${other + 1}${found.has(other) ? ":" : "-"} ${excerpt(text, line, position)}`);
    }
    left -= utf8Length(block.join("\n")) + 1;
    if (done >= wanted.most || (left < 0 && done > 0)) {
      next = number;
      break;
    }
    shown.push(...block);
    last = Math.max(last, to);
    done++;
  }
  const name = JSON.stringify(oneLine(wanted.search, 100));
  if (done === 0) return `No line from line ${count(wanted.first + 1)} on contains ${name}.`;
  const total = `${count(found.size)} of ${count(lines.length)} lines contain ${name}`;
  const more = next === -1 ? "." : `; ${count(done)} are shown, go on with offset ${next + 1}.`;
  return `${total}${more}\n${shown.join("\n")}`;
}
