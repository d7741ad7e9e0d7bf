import { HostError } from "../../../errors.ts";
import type { Json, JsonObject } from "../../../types/json.ts";
import { didYouMean } from "../../../util/closest.ts";
import { isObject } from "../../../util/own.ts";
import { visibleLine } from "../../../util/visible.ts";
import { typedValue, typeText } from "./argument-types.ts";

/** Reads a file that an argument names. */
export type ReadText = (path: string) => Promise<string>;

/** What was typed for one key. */
interface Typed {
  readonly texts: string[];
  /** From `key:=JSON`. */
  json?: Json;
}

/**
 * The arguments of a call as they were typed: one JSON object, or `key=value` (typed by the schema), `key:=JSON` and
 * `key=@FILE`, in any order.
 * @throws HostError `config_invalid`, naming the word
 */
export async function readArguments(
  words: readonly string[],
  inputSchema: JsonObject,
  readText: ReadText,
): Promise<JsonObject> {
  const [first] = words;
  if (first?.trimStart().startsWith("{")) {
    if (words.length > 1) throw wrong("A JSON object is all the arguments: leave the other words out.");
    return parseObject(first);
  }
  const typed = new Map<string, Typed>();
  for (const word of words) await addWord(word, typed, readText);
  const entries = [...typed].map(([key, { texts, json }]): [string, Json] => [
    key,
    json === undefined ? typedValue(key, texts, inputSchema) : json,
  ]);
  return Object.fromEntries(entries);
}

async function addWord(word: string, typed: Map<string, Typed>, readText: ReadText): Promise<void> {
  const at = word.indexOf("=");
  if (at < 1) throw wrong(`"${shown(word)}" is no argument. Write key=value, key:=JSON, or one JSON object.`);
  const isJson = word[at - 1] === ":";
  const key = word.slice(0, isJson ? at - 1 : at);
  const value = word.slice(at + 1);
  const before = typed.get(key) ?? { texts: [] };
  if (before.json !== undefined || (isJson && before.texts.length > 0)) {
    throw wrong(`${shown(key)} is given twice; with := it takes one value.`);
  }
  if (isJson) before.json = parseJson(key, value);
  else before.texts.push(value.startsWith("@") ? await readText(value.slice(1)) : value);
  typed.set(key, before);
}

function parseJson(key: string, text: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrong(`${shown(key)}:= is no JSON (${reasonOf(cause)}). For text: ${shown(key)}=${shown(text)}`);
  }
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value as JsonObject;
  } catch (cause) {
    throw wrong(`The arguments are no JSON object: ${reasonOf(cause)}.`);
  }
  throw wrong("The arguments are no JSON object.");
}

const reasonOf = (cause: unknown): string =>
  visibleLine(cause instanceof Error ? cause.message : String(cause));

/**
 * What is wrong with the keys, before anything is sent. Returns what is odd but may be right.
 * @throws HostError `config_invalid`: a key that the tool does not have, or a required one that is missing
 */
export function checkKeys(tool: string, args: JsonObject, inputSchema: JsonObject): readonly string[] {
  const properties = isObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  const odd: string[] = [];
  for (const key of Object.keys(args).filter((name) => !properties.includes(name))) {
    const meant = didYouMean(
      key,
      properties.filter((name) => !Object.hasOwn(args, name)),
    );
    const has =
      properties.length === 0 ? "it takes none" : `it has: ${properties.map(visibleLine).join(", ")}`;
    const text = `${visibleLine(tool)} has no argument "${shown(key)}"; ${has}.${visibleLine(meant)}`;
    const patterns = inputSchema.patternProperties !== undefined;
    if (inputSchema.additionalProperties === false && !patterns) throw wrong(text);
    // Most servers pass over what they do not know: a slip would be lost.
    if (meant !== "" && inputSchema.additionalProperties === undefined && !patterns) throw wrong(text);
    odd.push(text);
  }
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const missing = required.filter((key) => typeof key === "string" && !Object.hasOwn(args, key));
  if (missing.length > 0) {
    const names = missing.map((key) => {
      const type = typeText(inputSchema, String(key));
      return `${visibleLine(String(key))}${type === "" ? "" : ` (${type})`}`;
    });
    throw wrong(`${visibleLine(tool)} needs ${names.join(", ")}. Write: key=value, or one JSON object.`);
  }
  return odd;
}

function shown(text: string): string {
  return visibleLine(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function wrong(message: string): HostError {
  return new HostError("config_invalid", message);
}
