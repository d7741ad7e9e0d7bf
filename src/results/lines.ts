import type { Limits } from "../types/config.ts";
import { outsidePair } from "../util/one-line.ts";

/** A line of an output, from `start` up to `end`, its line break included. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/** Bytes a page may have: it must pass the output budget whole, so that reading a spill never spills again. */
export function pageBytes(limits: Limits): number {
  return Math.max(400, Math.min(limits.outputTokensPerResult, limits.outputTokensPerTurn) * 4 - 400);
}

/** Characters after which a longer line counts as another one, so that one giant line can be paged as well. */
export function lineWidth(limits: Limits): number {
  return Math.max(64, Math.min(2_000, Math.floor(pageBytes(limits) / 8)));
}

/** Calls `visit` with the bounds of each line. A line longer than `width` characters is several. */
function eachLine(text: string, width: number, visit: (start: number, end: number) => boolean): void {
  let newline = text.indexOf("\n");
  for (let start = 0; start < text.length; ) {
    if (newline !== -1 && newline < start) newline = text.indexOf("\n", start);
    const whole = newline === -1 ? text.length : newline + 1;
    const end = whole - start <= width + 1 ? whole : outsidePair(text, start + width);
    if (!visit(start, end)) return;
    start = end;
  }
}

/** The lines of a text. */
export function linesOf(text: string, width: number): Line[] {
  const lines: Line[] = [];
  eachLine(text, width, (start, end) => lines.push({ start, end }) > 0);
  return lines;
}

/** How many lines begin before the position. */
export function countLines(text: string, width: number, before: number = text.length): number {
  let lines = 0;
  eachLine(text, width, (start) => {
    if (start >= before) return false;
    lines++;
    return true;
  });
  return lines;
}
