import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";
import { circularTargets } from "./circles.ts";
import { changedProperties, pointerTokens, resolvePointer, type SchemaContext } from "./context.ts";
import type { SchemaDialect } from "./dialect.ts";
import { nameTypes } from "./dialect-shape.ts";
import { withoutEmptyOptionals } from "./empty-optionals.ts";
import { inlineNodeLimit } from "./inline.ts";
import { lowerNode } from "./node.ts";
import { renameKeys, restoreKeys } from "./rename.ts";
import { withLocalReferences } from "./resources.ts";
import { mergeRoot } from "./root.ts";

/** A schema larger than this, in characters of JSON, is not sent. */
const sizeLimit = 256 * 1024;

/** A schema nested deeper than this is not sent. */
const depthLimit = 64;

/** A tool's input schema as an API takes it. */
export interface LoweredSchema {
  /** JSON with its keys in a fixed order. */
  readonly json: string;
  /** Original property keys by the names that are sent instead of them; empty when none had to be renamed. */
  readonly originals: ReadonlyMap<string, string>;
  /** The arguments that the model wrote, as the tool's own schema means them. Everything else of the text stays. */
  restore(argumentsJson: string): string;
}

/** Lowers schemas to what one API takes. */
export type SchemaLowering = (schema: JsonObject) => LoweredSchema;

/**
 * Lowers a tool's input schema to what the API's dialect accepts: an object at the root without combinators, property
 * keys that it takes, references that lead somewhere. It allows at least what the original allows, which stays the one
 * that arguments are checked against. One that is too large is sent as any object. Kept per schema object.
 */
export function createSchemaLowering(dialect: SchemaDialect): SchemaLowering {
  const lowered = new WeakMap<JsonObject, LoweredSchema>();
  return (schema) => {
    const known = lowered.get(schema);
    if (known !== undefined) return known;
    const small = isBounded(schema) ? lower(schema, dialect) : anyObject;
    const found = small.json.length <= sizeLimit * 2 ? small : anyObject;
    lowered.set(schema, found);
    return found;
  };
}

const anyObject: LoweredSchema = {
  json: '{"properties":{},"type":"object"}',
  originals: new Map(),
  restore: (argumentsJson) => argumentsJson,
};

function isBounded(schema: JsonObject): boolean {
  return !isDeeper(schema, depthLimit) && JSON.stringify(schema).length <= sizeLimit;
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member: Json) => isDeeper(member, levels - 1));
}

function lower(original: JsonObject, dialect: SchemaDialect): LoweredSchema {
  const schema = withLocalReferences(original);
  const draft = typeof schema.$schema === "string" ? schema.$schema : "";
  const renames = renameKeys(schema, dialect.keys, dialect.declaredRequired);
  const context: SchemaContext = {
    root: schema,
    legacy: /draft-0[3-7]/.test(draft),
    dialect,
    renames,
    open: new Set(["#"]),
    rootIsMerged: false,
    narrowed: new Set(),
    circular: circularTargets(schema),
    nodesLeft: inlineNodeLimit,
    losses: 0,
    targets: new Map(),
    references: null,
  };
  const merged = mergeRoot(context);
  context.rootIsMerged = merged !== schema;
  context.narrowed = changedProperties(schema, merged);
  const node = lowerNode(merged, context);
  const root = isObject(node) ? (node as JsonObject) : {};
  const refused = new Set(["oneOf", "anyOf", "allOf", "$ref", ...dialect.refusedAtRoot]);
  const rest = Object.fromEntries(Object.entries(root).filter(([keyword]) => !refused.has(keyword)));
  const properties = isObject(rest.properties) ? rest.properties : {};
  const complete: JsonObject = { ...rest, type: "object", properties: properties as JsonObject };
  const { originals } = renames;
  return {
    json: stableJson(withoutDangling(complete, complete, dialect)),
    originals,
    restore(argumentsJson) {
      const named = originals.size === 0 ? argumentsJson : restoreKeys(argumentsJson, originals);
      return dialect.emptyIsAbsent ? withoutEmptyOptionals(named, original) : named;
    },
  };
}

/** Keywords whose value is plain JSON. */
const values: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Leaves out references into parts that lowering has changed or left out. */
function withoutDangling(value: Json, root: JsonObject, dialect: SchemaDialect): Json {
  if (Array.isArray(value)) return value.map((item) => withoutDangling(item, root, dialect));
  if (!isObject(value)) return value;
  const node = new Map<string, Json>();
  for (const [keyword, member] of Object.entries(value as JsonObject)) {
    if (keyword === "$ref" && typeof member === "string" && !leads(member, root)) continue;
    node.set(keyword, values.has(keyword) ? member : withoutDangling(member, root, dialect));
  }
  if (dialect.namedTypes && node.size < Object.keys(value).length) nameTypes(node);
  return Object.fromEntries(node);
}

function leads(reference: string, root: JsonObject): boolean {
  const tokens = pointerTokens(reference);
  return tokens !== null && resolvePointer(root, tokens) !== undefined;
}
