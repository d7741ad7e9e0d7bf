import type { Json } from "../types/json.ts";
import { count } from "../util/one-line.ts";
import { isObject } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { headWithin } from "./text.ts";

const deepest = 64;
/** Room for a marker such as `"… 123,456 more items"`. */
const markerBytes = 36;
/** Large items of an array that are shown in part before the rest is only counted. */
const partialItems = 3;
/** Each pass hands on the room that small members left over, and costs one look at all large ones. */
const mostPasses = 8;

/** Bytes of the value as compact JSON, or Infinity once they pass `limit` (or it is nested too deeply to write). */
function sizeWithin(value: Json, limit: number, depth: number): number {
  if (typeof value === "string") {
    return value.length > limit ? Infinity : utf8Length(JSON.stringify(value));
  }
  if (typeof value !== "object" || value === null) return String(value).length;
  if (depth > deepest) return Infinity;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += 1 + sizeWithin(item, limit - size, depth + 1);
      if (size > limit) return Infinity;
    }
    return size;
  }
  for (const key in value) {
    size += 2 + sizeWithin(key, limit - size, depth);
    size +=
      size > limit ? 0 : sizeWithin((value as { [key: string]: Json })[key] ?? null, limit - size, depth + 1);
    if (size > limit) return Infinity;
  }
  return size;
}

function elideString(text: string, bytes: number): string {
  for (let room = bytes - markerBytes; room > 8; room = Math.floor(room * 0.7)) {
    const head = headWithin(text, room);
    const written = JSON.stringify(`${head}… ${count(text.length - head.length)} more characters`);
    if (utf8Length(written) <= bytes) return written;
  }
  return JSON.stringify(`… ${count(text.length)} characters`);
}

function elideArray(items: readonly Json[], bytes: number, depth: number): string {
  const shown: string[] = [];
  let left = bytes - 2 - markerBytes;
  for (const item of items) {
    let written: string | null = null;
    if (sizeWithin(item, left - 1, depth + 1) < left) written = JSON.stringify(item);
    else if (shown.length < partialItems) {
      written = elide(item, Math.floor(left / (partialItems - shown.length)), depth + 1);
    }
    if (written === null || utf8Length(written) >= left) break;
    left -= utf8Length(written) + 1;
    shown.push(written);
  }
  const hidden = items.length - shown.length;
  if (hidden > 0) shown.push(JSON.stringify(`… ${count(hidden)} more ${hidden === 1 ? "item" : "items"}`));
  return `[${shown.join(",")}]`;
}

/** Members that are shown: as many names as fit into half of the room. */
function shownKeys(keys: readonly string[], bytes: number): { shown: string[]; left: number } {
  const shown: string[] = [];
  let left = bytes;
  for (const key of keys) {
    const size = key.length > left ? Infinity : utf8Length(JSON.stringify(key)) + 2;
    if (left - size < bytes / 2) break;
    left -= size;
    shown.push(key);
  }
  return { shown, left };
}

/** Small members stay whole; the large ones share what is left. */
function elideObject(value: { readonly [key: string]: Json }, bytes: number, depth: number): string {
  const keys = Object.keys(value);
  let { shown, left } = shownKeys(keys, bytes - 2 - markerBytes);
  const written = new Map<string, string>();
  let open = shown;
  for (let pass = 0; pass < mostPasses && open.length > 0; pass++) {
    const most = Math.floor(left / open.length);
    const large = open.filter((key) => {
      const size = sizeWithin(value[key] ?? null, most, depth + 1);
      if (size > most) return true;
      written.set(key, JSON.stringify(value[key]));
      left -= size;
      return false;
    });
    if (large.length === open.length) break;
    open = large;
  }
  for (const key of open)
    written.set(key, elide(value[key] ?? null, Math.floor(left / open.length), depth + 1));
  const members = shown.map((key) => `${JSON.stringify(key)}:${written.get(key)}`);
  const hidden = keys.length - shown.length;
  if (hidden > 0) members.push(`"…":${JSON.stringify(`${count(hidden)} more members`)}`);
  return `{${members.join(",")}}`;
}

function elide(value: Json, bytes: number, depth: number): string {
  if (sizeWithin(value, bytes, depth) <= bytes) return JSON.stringify(value);
  if (typeof value === "string") return elideString(value, bytes);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth >= deepest) return '"…"';
  return isObject(value)
    ? elideObject(value, bytes, depth)
    : elideArray(value as readonly Json[], bytes, depth);
}

/**
 * JSON text cut to so many bytes and still JSON: first items of arrays, small members of objects, beginnings of
 * strings, each saying how much was left out. Null when the text is no JSON array or object, or cannot be cut so far.
 */
export function cutJson(text: string, bytes: number): string | null {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-100))) return null;
  try {
    const cut = elide(JSON.parse(text) as Json, bytes, 0);
    return utf8Length(cut) <= bytes ? cut : null;
  } catch {
    return null;
  }
}
