import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";
import { renameKeys } from "./rename.ts";
import { pointerTokens, resolvePointer, type SchemaContext } from "./schema-context.ts";
import { lowerNode } from "./schema-node.ts";
import { mergeRoot } from "./schema-root.ts";

/** A schema larger than this, in characters of JSON, is not sent. */
const sizeLimit = 256 * 1024;

/** A schema nested deeper than this is not sent. */
const depthLimit = 64;

/** A tool's input schema as the Messages API takes it. */
export interface LoweredSchema {
  /** JSON with its keys in a fixed order. */
  readonly json: string;
  /** Original property keys by the names that are sent instead of them; empty when none had to be renamed. */
  readonly originals: ReadonlyMap<string, string>;
}

const anyObject: LoweredSchema = { json: '{"properties":{},"type":"object"}', originals: new Map() };

const lowered = new WeakMap<JsonObject, LoweredSchema>();

/**
 * Lowers a tool's input schema to what the Messages API accepts: an object at the root without combinators, draft
 * 2020-12 throughout, property keys of `[a-zA-Z0-9_.-]{1,64}`, references that lead somewhere. It allows at least what
 * the original allows, which stays the one that arguments are checked against. Kept per schema object.
 */
export function lowerInputSchema(schema: JsonObject): LoweredSchema {
  const known = lowered.get(schema);
  if (known !== undefined) return known;
  const found = isBounded(schema) ? lower(schema) : anyObject;
  lowered.set(schema, found);
  return found;
}

function isBounded(schema: JsonObject): boolean {
  return !isDeeper(schema, depthLimit) && JSON.stringify(schema).length <= sizeLimit;
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member: Json) => isDeeper(member, levels - 1));
}

function lower(schema: JsonObject): LoweredSchema {
  const dialect = typeof schema.$schema === "string" ? schema.$schema : "";
  const renames = renameKeys(schema);
  const context: SchemaContext = { root: schema, legacy: /draft-0[3-7]/.test(dialect), renames, losses: 0 };
  const node = lowerNode(mergeRoot(context), context);
  const root = isObject(node) ? (node as JsonObject) : {};
  const { oneOf: _, anyOf: _anyOf, allOf: _allOf, $ref: _ref, ...rest } = root;
  const properties = isObject(rest.properties) ? rest.properties : {};
  const complete: JsonObject = { ...rest, type: "object", properties: properties as JsonObject };
  return { json: stableJson(withoutDangling(complete, complete)), originals: renames.originals };
}

/** Keywords whose value is plain JSON. */
const values: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Leaves out references into parts that lowering has changed or left out. */
function withoutDangling(value: Json, root: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => withoutDangling(item, root));
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject)
    .filter(([keyword, member]) => keyword !== "$ref" || typeof member !== "string" || leads(member, root))
    .map(([keyword, member]) => [keyword, values.has(keyword) ? member : withoutDangling(member, root)]);
  return Object.fromEntries(entries);
}

function leads(reference: string, root: JsonObject): boolean {
  const tokens = pointerTokens(reference);
  return tokens !== null && resolvePointer(root, tokens) !== undefined;
}
