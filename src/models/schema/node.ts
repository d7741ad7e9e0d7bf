import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import {
  isSchema,
  lowerReference,
  namedSchemaKeywords,
  type SchemaContext,
  schemaKeywords,
  schemaListKeywords,
} from "./context.ts";
import { dialectShape, nameTypes } from "./dialect-shape.ts";
import { inlineReference, joinTarget } from "./inline.ts";
import { annotations, documentKeywords, plainKeywords } from "./keywords.ts";
import { modernShape } from "./legacy.ts";
import { unicodePattern, withUnicodePatterns } from "./patterns.ts";
import { leadsToWidened } from "./widened-targets.ts";

/**
 * A schema at any depth in a form that the API's dialect of draft 2020-12 allows: shapes of older drafts are converted,
 * what has no valid form is left out, property keys get the names that are sent. Nothing that was valid becomes invalid.
 */
export function lowerNode(schema: Json | undefined, context: SchemaContext): JsonObject | boolean {
  const { dialect } = context;
  if (typeof schema === "boolean" && dialect.booleanSchemas) return schema;
  if (schema === false && !dialect.refuses("not", {})) return { not: {} };
  if (!isObject(schema)) {
    if (schema !== true) context.losses += 1;
    return anything(context);
  }
  const before = context.losses;
  context.nodesLeft -= 1;
  const shaped = dialectShape(modernShape(schema as JsonObject, context), context);
  const inlined = dialect.references === "inline" ? inlineReference(shaped, context, lowerNode) : null;
  const node = inlined?.rest ?? shaped;
  const lowered = new Map<string, Json>();
  for (const [keyword, value] of Object.entries(node)) {
    const losses = context.losses;
    const member = lowerKeyword(keyword, value, context);
    const [name, kept] = keepSound(keyword, member, context.losses > losses);
    if (kept !== undefined) lowered.set(name, kept);
  }
  if (context.renames.originals.size > 0 && lowered.delete("propertyNames")) context.losses += 1;
  dropNarrowing(lowered, node, context.losses > before);
  // Beside no type it says nothing, and some readers refuse it.
  if (dialect.typeLists === "list" && !lowered.has("type")) lowered.delete("nullable");
  if (dialect.namedTypes) nameTypes(lowered);
  const whole = Object.fromEntries(lowered);
  return inlined?.target == null ? whole : joinTarget(whole, inlined.target, context);
}

/** A schema that allows everything. */
function anything({ dialect }: SchemaContext): JsonObject {
  const node = new Map<string, Json>();
  if (dialect.namedTypes) nameTypes(node);
  return Object.fromEntries(node);
}

/** Keywords that everybody takes `true` and `false` for. */
const closing: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

/** The lowered value of a keyword, or undefined when it must be left out. */
function lowerKeyword(keyword: string, value: Json, context: SchemaContext): Json | undefined {
  if (documentKeywords.has(keyword)) return undefined;
  const check = plainKeywords.get(keyword);
  if (check !== undefined) return check(value) ? value : lost(context, !annotations.has(keyword));
  if (keyword === "pattern") return unicodePattern(value) ?? lost(context);
  if (keyword === "$ref") return lowerRef(value, context);
  if (keyword === "required") return stringList(value, context);
  if (keyword === "dependentRequired") return dependentRequired(value, context);
  if (schemaKeywords.has(keyword)) {
    if (typeof value === "boolean" && closing.has(keyword)) return value;
    return isSchema(value) ? lowerNode(value, context) : lost(context);
  }
  if (schemaListKeywords.has(keyword)) {
    if (!Array.isArray(value) || value.length === 0) return lost(context);
    return value.map((branch) => lowerNode(branch, context));
  }
  if (namedSchemaKeywords.has(keyword)) {
    const named = isObject(value) ? (value as JsonObject) : null;
    const sent = named !== null && keyword === "patternProperties" ? withUnicodePatterns(named) : named;
    return sent === null ? lost(context) : namedSchemas(keyword, sent, context);
  }
  // A keyword that nobody knows means nothing; a short one may still tell the model something, but not one of `$`,
  // which is about the document, nor a flag that is no flag.
  if (keyword.startsWith("$") || (keyword === "nullable" && typeof value !== "boolean")) return undefined;
  return typeof value === "object" && value !== null ? undefined : value;
}

function lost(context: SchemaContext, counts = true): undefined {
  if (counts) context.losses += 1;
  return undefined;
}

function lowerRef(value: Json, context: SchemaContext): Json | undefined {
  const reference = typeof value === "string" ? lowerReference(value, context) : null;
  if (reference === null) return lost(context);
  // The root itself is wider without its combinators.
  if (reference === "#" && context.rootIsMerged) context.losses += 1;
  if (context.references !== null) context.references.add(String(value));
  else if (leadsToWidened(String(value), context, lowerNode)) context.losses += 1;
  return reference;
}

function stringList(value: Json, context: SchemaContext): Json | undefined {
  if (!Array.isArray(value)) return lost(context);
  const names = value.filter((name): name is string => typeof name === "string");
  return [...new Set(names)].map(context.renames.send);
}

function dependentRequired(value: Json, context: SchemaContext): Json | undefined {
  if (!isObject(value)) return lost(context);
  const entries = Object.entries(value as JsonObject).flatMap(([key, names]) => {
    const list = stringList(names, context);
    return list === undefined ? [] : [[context.renames.send(key), list] as const];
  });
  return Object.fromEntries(entries);
}

function namedSchemas(keyword: string, value: JsonObject, context: SchemaContext): Json {
  const rename = keyword === "properties" || keyword === "dependentSchemas";
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [
      rename ? context.renames.send(name) : name,
      lowerNode(schema, context),
    ]),
  );
}

/** A part that became wider inside of something that inverts it must go: the whole would become narrower. */
function keepSound(keyword: string, value: Json | undefined, wider: boolean): [string, Json | undefined] {
  if (!wider) return [keyword, value];
  if (keyword === "not") return [keyword, undefined];
  return keyword === "oneOf" ? ["anyOf", value] : [keyword, value];
}

/** Leaves out keywords whose meaning depends on a neighbour that is no longer what it was. */
function dropNarrowing(lowered: Map<string, Json>, node: JsonObject, wider: boolean): void {
  if (node.anyOf !== undefined && node.oneOf !== undefined && !lowered.has("oneOf")) lowered.delete("anyOf");
  if (!wider) return;
  for (const name of ["if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "maxContains"]) {
    lowered.delete(name);
  }
  if (node.patternProperties !== undefined && !lowered.has("patternProperties")) {
    lowered.delete("additionalProperties");
  }
}
