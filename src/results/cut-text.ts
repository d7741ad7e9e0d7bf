import { count } from "../util/one-line.ts";
import { utf8Length } from "../util/utf8.ts";
import { headWithin, tailWithin } from "./text.ts";

/** Room for the marker between head and tail. */
const markerBytes = 72;

function lineBreaks(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) found++;
  return found;
}

/** A text's beginning and end around a marker that says how much is missing between them. */
export interface CutText {
  readonly text: string;
  /** Position in the full text where the first gap begins. */
  readonly gap: number;
}

/** Cuts a text of `fullBytes` to so many bytes: a little more head than tail, at line breaks where one is near. */
export function cutText(full: string, fullBytes: number, bytes: number): CutText {
  const room = Math.max(0, bytes - markerBytes);
  let head = headWithin(full, Math.ceil(room * 0.6));
  const lastBreak = head.lastIndexOf("\n");
  if (lastBreak >= head.length * 0.8) head = head.slice(0, lastBreak + 1);
  let tail = tailWithin(full, Math.floor(room * 0.4));
  const firstBreak = tail.indexOf("\n");
  if (firstBreak !== -1 && firstBreak <= tail.length * 0.2) tail = tail.slice(firstBreak + 1);
  const end = full.length - tail.length;
  const missing = fullBytes - utf8Length(head) - utf8Length(tail);
  const breaks = lineBreaks(full, head.length, end);
  const lines = breaks > 1 ? `, ${count(breaks)} lines` : "";
  const before = head === "" || head.endsWith("\n") ? "" : "\n";
  const marker = `${before}[… ${count(missing)} bytes${lines} left out …]\n`;
  return { text: `${head}${marker}${tail}`, gap: head.length };
}

/** Cuts a page of a kept output, which can be read again: only its beginning stays. */
export function cutPage(full: string, fullBytes: number, bytes: number): string {
  const head = headWithin(full, Math.max(0, bytes - markerBytes));
  return `${head}\n[… ${count(fullBytes - utf8Length(head))} bytes left out …]`;
}
