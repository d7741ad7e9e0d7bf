import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { isSchema, type SchemaContext } from "./context.ts";
import { annotations } from "./keywords.ts";

/** Most characters of what is told of constraints that had to be left out of one node. */
const noteLimit = 200;

/**
 * The keywords of a node as the API's dialect has them: exactly where it has another word for the same, wider where it
 * has none. Members are not looked into.
 */
export function dialectShape(schema: JsonObject, context: SchemaContext): JsonObject {
  const { dialect } = context;
  const node = new Map(Object.entries(schema));
  const notes: string[] = [];
  if (!dialect.constants) constant(node);
  if (dialect.enums === "strings") stringEnum(node, notes, context);
  if (dialect.typeLists === "nullable") nullable(node, context);
  if (!dialect.exclusiveBounds) {
    inclusive(node, "exclusiveMinimum", "minimum", 1, context);
    inclusive(node, "exclusiveMaximum", "maximum", -1, context);
  }
  for (const [keyword, value] of [...node]) {
    const refused = keyword === "format" ? !understands(value, context) : dialect.refuses(keyword, value);
    if (!refused) continue;
    node.delete(keyword);
    if (keyword === "format" || !annotations.has(keyword)) context.losses += 1;
    if (typeof value !== "object") notes.push(`${keyword}: ${String(value)}`);
  }
  // What the patterns described would be an additional property without them.
  if (schema.patternProperties !== undefined && !node.has("patternProperties"))
    node.delete("additionalProperties");
  if (dialect.declaredRequired) declareRequired(node, context);
  if (dialect.completeContainers) complete(node, context);
  if (dialect.notes && notes.length > 0) describe(node, notes);
  return Object.fromEntries(node);
}

function understands(format: Json, { dialect }: SchemaContext): boolean {
  if (dialect.formats === "any") return true;
  return typeof format === "string" && dialect.formats.has(format);
}

/** `const: 1` is `enum: [1]`. Beside an `enum` it is the narrower of the two, when it is one of its values. */
function constant(node: Map<string, Json>): void {
  const value = node.get("const");
  if (value === undefined) return;
  node.delete("const");
  node.set("enum", [value]);
}

/** An enum of anything but strings is told in words; `null` in it is what `nullable` says. */
function stringEnum(node: Map<string, Json>, notes: string[], context: SchemaContext): void {
  const values = node.get("enum");
  if (!Array.isArray(values)) return;
  const strings = values.filter((value) => typeof value === "string");
  const rest = values.filter((value) => typeof value !== "string");
  const typed = node.get("type") === "string" || includesOnly(node.get("type"), ["string", "null"]);
  if (strings.length > 0 && rest.every((value) => value === null) && (rest.length === 0 || typed)) {
    if (rest.length > 0) node.set("enum", strings);
    if (!typed) node.set("type", "string");
    return;
  }
  node.delete("enum");
  context.losses += 1;
  notes.push(`one of: ${values.map((value) => JSON.stringify(value)).join(", ")}`);
}

function includesOnly(types: Json | undefined, names: readonly string[]): boolean {
  return Array.isArray(types) && types.every((name) => typeof name === "string" && names.includes(name));
}

/** Keywords that say something about values of one type only. */
const typeKeywords: Readonly<Record<string, readonly string[]>> = {
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  object: ["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  string: ["minLength", "maxLength", "pattern", "format", "enum"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** `type: [T, "null"]` is `type: T, nullable: true`; of several types each gets its branch of an `anyOf`. */
function nullable(node: Map<string, Json>, context: SchemaContext): void {
  withoutNullBranch(node, context);
  const types = node.get("type");
  if (!Array.isArray(types)) return;
  const named = types.filter((name): name is string => typeof name === "string" && name !== "null");
  const [only] = named;
  node.delete("type");
  if (only === undefined || (named.length > 1 && node.has("anyOf"))) {
    context.losses += 1;
  } else if (named.length === 1) {
    node.set("type", only);
    if (types.length > 1) node.set("nullable", true);
  } else {
    node.set("anyOf", branchesOf(named, named.length < types.length, node));
  }
}

/** A branch for each type, with the keywords that are about it; one of them allows null too. */
function branchesOf(types: readonly string[], orNull: boolean, node: Map<string, Json>): Json {
  const branches = types.map((type, index) => {
    const own = (typeKeywords[type] ?? []).flatMap((keyword) => {
      const value = node.get(keyword);
      return value === undefined ? [] : [[keyword, value] as const];
    });
    return { type, ...(orNull && index === 0 ? { nullable: true } : {}), ...Object.fromEntries(own) };
  });
  for (const keyword of types.flatMap((type) => typeKeywords[type] ?? [])) node.delete(keyword);
  return branches;
}

/** `anyOf: [S, {type: "null"}]` is S that may be null; of several branches it is enough that one may be. */
function withoutNullBranch(node: Map<string, Json>, context: SchemaContext): void {
  const branches = node.get("anyOf");
  if (!Array.isArray(branches)) return;
  const others = branches.filter((branch) => !(isObject(branch) && branch.type === "null"));
  const at = others.findIndex((branch) => isObject(branch) && typeof branch.type === "string");
  if (others.length === branches.length || others.length === 0) return;
  const [only] = others;
  node.delete("anyOf");
  if (at === -1) {
    context.losses += 1;
  } else if (others.length === 1 && isObject(only) && Object.keys(only).every((name) => !node.has(name))) {
    for (const [name, value] of Object.entries(only as JsonObject)) node.set(name, value);
    node.set("nullable", true);
  } else {
    const mayBeNull = others.map((branch, index) =>
      index === at && isObject(branch) ? { ...branch, nullable: true } : branch,
    );
    node.set("anyOf", mayBeNull as Json);
  }
}

/** Of integers `> 5` is `>= 6`; of other numbers `>= 5` is as near as it gets. */
function inclusive(
  node: Map<string, Json>,
  exclusive: string,
  limit: string,
  step: number,
  context: SchemaContext,
): void {
  const value = node.get(exclusive);
  if (typeof value !== "number") return;
  node.delete(exclusive);
  const exact = node.get("type") === "integer" && Number.isSafeInteger(value);
  if (!exact) context.losses += 1;
  const bound = exact ? value + step : value;
  const present = node.get(limit);
  if (typeof present === "number" && (step > 0 ? present >= bound : present <= bound)) return;
  node.set(limit, bound);
}

/** Adds the `properties` and `items` that mean nothing, where they are missing. */
function complete(node: Map<string, Json>, context: SchemaContext): void {
  const type = node.get("type");
  const is = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  if (is("object") && !isObject(node.get("properties"))) node.set("properties", {});
  if (is("array") && !isSchema(node.get("items"))) {
    node.set("items", {});
    if (node.delete("unevaluatedItems")) context.losses += 1;
  }
}

/** Describes what is required and described nowhere, as all other properties are. */
function declareRequired(node: Map<string, Json>, context: SchemaContext): void {
  const required = node.get("required");
  const present = node.get("properties");
  const others = node.get("additionalProperties");
  const properties = new Map(isObject(present) ? Object.entries(present as JsonObject) : []);
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name !== "string" || properties.has(name)) continue;
    properties.set(name, isObject(others) ? (others as JsonObject) : {});
    if (others === false) context.losses += 1;
    node.set("properties", Object.fromEntries(properties));
  }
}

const everyType: Json = ["string", "number", "boolean", "object", "array", "null"];

const structural: readonly string[] =
  "type enum const anyOf oneOf allOf $ref properties items prefixItems".split(" ");

/** Names every type where a lowered node names none. */
export function nameTypes(node: Map<string, Json>): void {
  if (!structural.some((keyword) => node.has(keyword))) node.set("type", everyType);
}

function describe(node: Map<string, Json>, notes: readonly string[]): void {
  const note = `(${notes.join("; ").slice(0, noteLimit)})`;
  const present = node.get("description");
  node.set("description", typeof present === "string" && present !== "" ? `${present} ${note}` : note);
}
