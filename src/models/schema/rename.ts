import type { Json } from "../../types/json.ts";
import { sha256Hex } from "../../util/hash.ts";
import { isObject } from "../../util/own.ts";
import type { KeyRule } from "./dialect.ts";

/** Characters of the hash behind a key that was renamed, with the underscore in front of it. */
const suffixLength = 16;

/** The names under which a tool's property keys are sent, for keys that the API would refuse. */
export interface KeyRenames {
  /** The key to send. */
  send(key: string): string;
  /** The original of each key that was renamed. */
  readonly originals: ReadonlyMap<string, string>;
}

/**
 * Finds every property key of a schema, at any depth, that the API would refuse, and a name for each: the accepted
 * characters of the key and ten hex digits of its hash, so that it is the same in every run and meets no other key.
 * @param alsoRequired whether keys that are required, and described nowhere, are described in what is sent.
 */
export function renameKeys(schema: Json, rule: KeyRule, alsoRequired = false): KeyRenames {
  const keys = new Set<string>();
  collectKeys(schema, keys, alsoRequired);
  const sent = new Map<string, string>();
  const originals = new Map<string, string>();
  for (const key of keys) {
    if (rule.accepted.test(key)) continue;
    const head = key.replace(rule.refused, "_").slice(0, rule.longest - suffixLength);
    let name = `${head}_${sha256Hex(key).slice(0, 10)}`;
    while (keys.has(name) || originals.has(name)) {
      name = name.length < rule.longest ? `${name}_` : `${head}_${sha256Hex(name).slice(0, 10)}`;
    }
    sent.set(key, name);
    originals.set(name, key);
  }
  return { send: (key) => sent.get(key) ?? key, originals };
}

function collectKeys(value: Json, keys: Set<string>, alsoRequired: boolean): void {
  if (Array.isArray(value)) for (const item of value) collectKeys(item, keys, alsoRequired);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "properties" && isObject(member)) for (const key of Object.keys(member)) keys.add(key);
    if (alsoRequired && name === "required" && Array.isArray(member)) {
      for (const key of member) if (typeof key === "string") keys.add(key);
    }
    collectKeys(member as Json, keys, alsoRequired);
  }
}

/**
 * The JSON text with the original keys. Everything but the renamed keys stays as the model wrote it, duplicates and
 * large numbers included. A text that is no JSON is returned as it is.
 */
export function restoreKeys(json: string, originals: ReadonlyMap<string, string>): string {
  if (originals.size === 0 || !isJson(json)) return json;
  const parts: string[] = [];
  let copied = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = endOfString(json, start);
    const original = startsWithColon(json, end)
      ? originals.get(JSON.parse(json.slice(start, end)))
      : undefined;
    if (original !== undefined) {
      parts.push(json.slice(copied, start), JSON.stringify(original));
      copied = end;
    }
    start = json.indexOf('"', end);
  }
  parts.push(json.slice(copied));
  return parts.join("");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const character = json[at];
    if (character === '"' || character === undefined) return at + 1;
    at += character === "\\" ? 2 : 1;
  }
}

function startsWithColon(json: string, from: number): boolean {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at += 1;
  return json[at] === ":";
}
