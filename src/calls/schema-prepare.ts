import type { Json, JsonObject } from "../types/json.ts";
import { isObject, own } from "../util/own.ts";
import { visibleLine } from "../util/visible.ts";
import { indexSchema, type SchemaIndex } from "./schema-index.ts";
import { keywordKinds, modernKeywords, readPlain } from "./schema-keywords.ts";
import type { Patterns } from "./schema-patterns.ts";

/** Stands in every part of a prepared schema that may run more than once; its value is the part's size in nodes. */
export const meterKeyword = "drawbridge-meter";

/** A schema made safe to compile, in the 2020-12 dialect, and what of the original it does not check. */
export interface PreparedSchema {
  readonly schema: JsonObject;
  readonly warnings: readonly string[];
}

interface Preparation {
  readonly index: SchemaIndex;
  /** Up to draft 7 the neighbours of `$ref` mean nothing. */
  readonly lonelyReferences: boolean;
  /** Leaves out keywords that refuse more when one of their parts checks less. */
  readonly monotone: boolean;
  readonly patterns: Patterns;
  readonly warnings: Set<string>;
  /** The place in the prepared schema of each part that a reference points to. */
  readonly places: Map<Json, string>;
  readonly queue: Json[];
}

/** A part that is left unchecked would make these refuse what is right. */
const notMonotone = new Set([
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
  "maxContains",
]);

/**
 * Rewrites a server's schema: only known keywords with possible values stay, every dialect becomes 2020-12, every
 * reference a local one. What cannot be checked is left out and named; nothing is ever fetched, nothing thrown.
 */
export function prepareSchema(
  root: JsonObject,
  lonelyReferences: boolean,
  patterns: Patterns,
): PreparedSchema {
  const index = indexSchema(root);
  const run = (monotone: boolean) => prepareAll(root, { index, lonelyReferences, monotone, patterns });
  const whole = run(false);
  if (whole.warnings.length === 0) return whole;
  const looser = run(true);
  return { schema: looser.schema, warnings: [...new Set([...whole.warnings, ...looser.warnings])] };
}

function prepareAll(
  root: JsonObject,
  settings: Pick<Preparation, "index" | "lonelyReferences" | "monotone" | "patterns">,
): PreparedSchema {
  const state: Preparation = {
    ...settings,
    warnings: new Set(),
    places: new Map<Json, string>([[root, "#"]]),
    queue: [],
  };
  const main = metered(root, prepare(root, state));
  const definitions: [string, Json][] = [];
  for (let next = state.queue.shift(); next !== undefined; next = state.queue.shift()) {
    definitions.push([`r${definitions.length + 1}`, metered(next, prepare(next, state))]);
  }
  const schema = isObject(main) ? { ...main, $defs: Object.fromEntries(definitions) } : {};
  return { schema, warnings: [...state.warnings] };
}

/** How many JSON values a part holds: what one run of it costs at most. */
function countNodes(node: Json): number {
  if (typeof node !== "object" || node === null) return 1;
  return Object.values(node).reduce<number>((sum, member) => sum + countNodes(member), 1);
}

function metered(original: Json, prepared: Json): Json {
  return isObject(prepared) ? { ...prepared, [meterKeyword]: countNodes(original) } : prepared;
}

function shown(text: string): string {
  return visibleLine(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function prepare(node: Json, state: Preparation): Json {
  if (typeof node === "boolean") return node;
  if (!isObject(node)) {
    state.warnings.add("a part that should be a schema is none: it is not checked");
    return true;
  }
  const reference = place(node, state);
  const members: [string, Json][] = reference === null ? [] : [["$ref", reference]];
  if (!state.lonelyReferences || own(node, "$ref") === undefined) {
    members.push(...prepareKeywords(modernKeywords(node), state));
  }
  return Object.fromEntries(members);
}

/** `$dynamicRef` and `$recursiveRef` are followed like `$ref`: the same wherever no outer schema moves the anchor. */
function place(node: JsonObject, state: Preparation): string | null {
  const reference = own(node, "$ref") ?? own(node, "$dynamicRef") ?? own(node, "$recursiveRef");
  if (reference === undefined) return null;
  const target = typeof reference === "string" ? state.index.follow(node, reference) : undefined;
  if (typeof target !== "boolean" && !isObject(target)) {
    state.warnings.add(
      `the reference ${shown(String(reference))} leads nowhere in the schema: that part is not checked`,
    );
    return null;
  }
  const known = state.places.get(target);
  if (known !== undefined) return known;
  const fresh = `#/$defs/r${state.places.size}`;
  state.places.set(target, fresh);
  state.queue.push(target);
  return fresh;
}

function prepareKeywords(node: JsonObject, state: Preparation): [string, Json][] {
  const members: [string, Json][] = [];
  for (const [written, value] of Object.entries(node)) {
    const kind = own(keywordKinds, written);
    if (kind === undefined) continue;
    if (state.monotone && notMonotone.has(written)) {
      state.warnings.add(`the keyword "${written}" is not checked, because another part cannot be`);
      continue;
    }
    const keyword = state.monotone && written === "oneOf" ? "anyOf" : written;
    if (keyword === "anyOf" && written === "oneOf" && own(node, "anyOf") !== undefined) continue;
    if (keyword === "additionalProperties" && lostPattern(node, state)) continue;
    if (kind === "pattern" && typeof value === "string" && !supported(value, state)) continue;
    const prepared = prepareValue(keyword, kind, value, state);
    if (prepared !== undefined) members.push([keyword, prepared]);
    else state.warnings.add(`the keyword "${keyword}" has a value that it cannot have: it is not checked`);
  }
  return members;
}

function prepareValue(
  keyword: string,
  kind: NonNullable<(typeof keywordKinds)[string]>,
  value: Json,
  state: Preparation,
): Json | undefined {
  switch (kind) {
    case "schema":
      return prepare(value, state);
    case "repeated schema":
      return metered(value, prepare(value, state));
    case "schemas":
      return Array.isArray(value) && value.length > 0
        ? value.map((part: Json) => prepare(part, state))
        : undefined;
    case "named schemas":
      if (!isObject(value)) return undefined;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, prepare(part, state)]));
    case "patterned schemas":
      return isObject(value) ? patterned(value, state) : undefined;
    case "pattern":
      return typeof value === "string" ? value : undefined;
    default:
      return readPlain(keyword, kind, value);
  }
}

function patterned(value: JsonObject, state: Preparation): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([pattern]) => supported(pattern, state))
      .map(([pattern, part]) => [pattern, metered(part, prepare(part, state))]),
  );
}

/** Properties that an unusable pattern would have named must not count as additional. */
function lostPattern(node: JsonObject, state: Preparation): boolean {
  const value = own(node, "patternProperties");
  return isObject(value) && Object.keys(value).some((pattern) => state.patterns.compile(pattern) === null);
}

function supported(pattern: string, state: Preparation): boolean {
  if (state.patterns.compile(pattern) !== null) return true;
  state.warnings.add(`the pattern ${shown(pattern)} cannot be run safely: it is not checked`);
  return false;
}
