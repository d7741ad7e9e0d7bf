import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";
import { compareCodeUnits, stableJson } from "../util/stable-json.ts";
import { withoutEnd } from "../util/without-end.ts";
import { looksLikePath } from "./leads-elsewhere.ts";
import { createOnlyCheck, describeOnly, isOnly, mostNames, type NamedCondition } from "./only-condition.ts";
import { isWithin, type PlainPath, plainPath } from "./plain-path.ts";
import { writeLiteral } from "./words.ts";

/** Most conditions of one grant, and most keys that name an argument. */
const mostConditions = 8;
/** A longer text is a content, not a choice: nobody means "exactly this" of it. */
const longestValue = 200;
const url =
  /^(https?|wss?):\/\/([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?(?:\/[^\s\\]*|[?#][^\s\\@]*)?$/i;

/** What may be asked of later calls, taken from the arguments of this one: at most one condition an argument. */
export function offeredConditions(values: JsonObject): readonly NamedCondition[] {
  const all = conditionsIn(values, []);
  if (all.length <= mostConditions) return all;
  // Where a call goes says more of it than its other values.
  const isValue = ({ type }: NamedCondition) => type === "equals";
  return [...all.filter((one) => !isValue(one)), ...all.filter(isValue)].slice(0, mostConditions);
}

function conditionsIn(values: JsonObject, within: readonly string[]): NamedCondition[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const argument = [...within, name];
    if (isObject(value)) return argument.length < 4 ? conditionsIn(value as JsonObject, argument) : [];
    const found = conditionOf(argument, value);
    return found === null ? [] : [found];
  });
}

function conditionOf(argument: readonly string[], value: Json): NamedCondition | null {
  if (typeof value === "string") {
    const origin = originOf(value);
    if (origin !== null) return { type: "host", argument, origin };
    const folder = looksLikePath(argument.at(-1) ?? "", value) ? folderOf(value) : null;
    if (folder !== null) return { type: "under", argument, folder };
    return value.length <= longestValue ? { type: "equals", argument, value } : null;
  }
  return value === null || typeof value === "boolean" || typeof value === "number"
    ? { type: "equals", argument, value }
    : null;
}

/** The folder that a path lies in; null for what is at a root or at the working folder itself. */
function folderOf(value: string): string | null {
  const path = plainPath(value);
  if (path === null) return null;
  const folder = path.slice(0, path.lastIndexOf("/", path.length - 2));
  if (folder === ".") return null;
  // Some steps mean something else where nothing stands before them, such as `~`, or nothing at all at the end.
  return [folder.slice("./".length), folder].find((one) => plainPath(one) === `${folder}/`) ?? null;
}

/** Scheme and host of a URL that nobody can read as another one; null for all others. */
export function originOf(value: string): string | null {
  const [, , host] = value.length > 4096 ? [] : (url.exec(value) ?? []);
  if (host === undefined || !URL.canParse(value)) return null;
  const { protocol, hostname, host: withPort } = new URL(value);
  return hostname === host.toLowerCase() ? `${protocol}//${withPort}` : null;
}

/** Whether the arguments of one call meet the conditions of grants. Each text is read once. */
export function createConditionCheck(
  values: JsonObject,
): (conditions: readonly ArgumentCondition[]) => boolean {
  const pathOf = once(plainPath);
  const hostOf = once(originOf);
  const hasOnly = createOnlyCheck(values);
  const meets = (condition: NamedCondition): boolean => {
    const value = valueAt(values, condition.argument);
    if (condition.type === "equals") return value === condition.value;
    if (typeof value !== "string") return false;
    return condition.type === "host"
      ? hostOf(value) === condition.origin
      : isWithin(pathOf(value), folderPath(condition));
  };
  return (conditions) =>
    conditions.length > 0 && conditions.every((one) => (isOnly(one) ? hasOnly(one, conditions) : meets(one)));
}

function once(read: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const fresh = read(text);
    known.set(text, fresh);
    return fresh;
  };
}

const folders = new WeakMap<ArgumentCondition, PlainPath | null>();

function folderPath(condition: Extract<ArgumentCondition, { type: "under" }>): PlainPath | null {
  const known = folders.get(condition);
  if (known !== undefined) return known;
  const path = plainPath(condition.folder);
  folders.set(condition, path);
  return path;
}

/** The value of an argument; undefined where it is not there, or in a list. */
export function valueAt(values: JsonObject, argument: readonly string[]): Json | undefined {
  let value: Json | undefined = values;
  for (const key of argument) value = isObject(value) ? (own(value, key) as Json | undefined) : undefined;
  return value;
}

/** Conditions as they are kept: in one order, each once, frozen; null for what are none. */
export function readConditions(written: unknown): readonly ArgumentCondition[] | null {
  if (!Array.isArray(written) || written.length > mostConditions + 1) return null;
  const byText = new Map<string, ArgumentCondition>();
  let named = 0;
  for (const one of written) {
    const condition = readCondition(one);
    if (condition === null) return null;
    if (!isOnly(condition)) named++;
    byText.set(stableJson(condition as unknown as Json), condition);
  }
  // What is only said of all arguments together says nothing of any of them.
  if (named === 0 || named > mostConditions || written.length - named > 1) return null;
  return Object.freeze(
    [...byText].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, condition]) => condition),
  );
}

function readCondition(written: unknown): ArgumentCondition | null {
  if (!isObject(written)) return null;
  const { type, argument, value, folder, origin } = written;
  if (type === "only") return readOnly(written.arguments);
  const named = readName(argument);
  if (named === null) return null;
  if (type === "under" && typeof folder === "string" && plainPath(folder) !== null)
    return Object.freeze({ type, argument: named, folder });
  if (type === "host" && typeof origin === "string" && originOf(origin) === origin)
    return Object.freeze({ type, argument: named, origin });
  if (type !== "equals") return null;
  return value === null || ["string", "boolean", "number"].includes(typeof value)
    ? Object.freeze({ type, argument: named, value: value as string | number | boolean | null })
    : null;
}

function readName(written: unknown): readonly string[] | null {
  if (!Array.isArray(written) || written.length === 0 || written.length > mostConditions) return null;
  return written.every((key) => typeof key === "string") ? Object.freeze([...written]) : null;
}

function readOnly(written: unknown): ArgumentCondition | null {
  if (!Array.isArray(written) || written.length > mostNames) return null;
  const byText = new Map<string, readonly string[]>();
  for (const one of written) {
    const named = readName(one);
    if (named === null) return null;
    byText.set(JSON.stringify(named), named);
  }
  const inOrder = [...byText].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, named]) => named);
  return Object.freeze({ type: "only", arguments: Object.freeze(inOrder) });
}

/** Conditions in words, on one line, escaped: `path is under src/ and mode is "fast"`. */
export function describeConditions(conditions: readonly ArgumentCondition[]): string {
  return conditions
    .map((one) =>
      isOnly(one) ? describeOnly(one, conditions, nameOf) : `${nameOf(one.argument)} ${demandOf(one)}`,
    )
    .join(" and ");
}

function nameOf(argument: readonly string[]): string {
  return argument.map((key) => writeLiteral(key, /^[\w-]+$/)).join(".");
}

function demandOf(condition: NamedCondition): string {
  if (condition.type === "host") return `is at ${condition.origin}`;
  if (condition.type === "equals")
    return `is ${typeof condition.value === "string" ? writeLiteral(condition.value, /(?!)/) : String(condition.value)}`;
  return `is under ${writeLiteral(`${withoutEnd(condition.folder, "\\/")}/`, /^[\w.,@:+/-]+$/)}`;
}
