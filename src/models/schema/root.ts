import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { pointerTokens, resolvePointer, type SchemaContext } from "./context.ts";
import { annotations } from "./keywords.ts";
import { effectiveNode } from "./legacy.ts";

/** Branches inside branches are followed this deep. */
const mergeDepth = 8;

/** What a set of arguments must look like, as far as one object without combinators can say it. */
interface Shape {
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** Whether no other properties are allowed. */
  readonly closed: boolean;
  /** Sentences about what the combinators asked for. */
  readonly notes: readonly string[];
}

/**
 * A root without `oneOf`, `anyOf`, `allOf` and `$ref`, which the API refuses there: the branches are merged into one
 * object. Every property that a branch describes is there, required is what every branch requires, and the
 * description says which groups belong together. Arguments that follow one branch stay valid: a property that another
 * branch leaves open may be anything, with what it is described as in front.
 */
export function mergeRoot(context: SchemaContext): JsonObject {
  const root = effectiveNode(context.root, context);
  const { oneOf, anyOf, allOf, $ref, unevaluatedProperties, ...rest } = root;
  if (oneOf === undefined && anyOf === undefined && allOf === undefined && $ref === undefined) return root;
  const shape = shapeOf(root, context, mergeDepth, new Set());
  if (shape === null) return rest;
  const description = [rest.description, ...shape.notes]
    .filter((part) => typeof part === "string")
    .join("\n\n");
  return {
    ...rest,
    ...(description === "" ? {} : { description }),
    properties: Object.fromEntries(shape.properties),
    required: [...shape.required],
  };
}

const anyObject: Shape = { properties: new Map(), required: new Set(), closed: false, notes: [] };

/** The shape of a schema for objects, or null when no object can follow it. */
function shapeOf(schema: Json, context: SchemaContext, depth: number, seen: Set<string>): Shape | null {
  if (schema === false) return null;
  if (!isObject(schema) || depth === 0) return anyObject;
  const node = effectiveNode(schema as JsonObject, context);
  if (!allowsObjects(node.type)) return null;
  const own: Shape = {
    properties: new Map(isObject(node.properties) ? Object.entries(node.properties as JsonObject) : []),
    required: new Set(
      Array.isArray(node.required) ? node.required.filter((name) => typeof name === "string") : [],
    ),
    closed: node.additionalProperties === false && node.patternProperties === undefined,
    notes: [],
  };
  let shape: Shape | null = own;
  for (const branch of [...referenced(node, context, seen), ...listOf(node.allOf)]) {
    shape = both(shape, shapeOf(branch, context, depth - 1, new Set(seen)));
  }
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const branches = listOf(node[keyword]);
    if (branches.length === 0) continue;
    const shapes = branches.map((branch) => shapeOf(branch, context, depth - 1, new Set(seen)));
    shape = withGroup(
      shape,
      shapes.filter((found) => found !== null),
      keyword,
      context,
    );
  }
  return shape;
}

function allowsObjects(type: Json | undefined): boolean {
  if (typeof type === "string") return type === "object";
  return !Array.isArray(type) || type.includes("object");
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The target of the node's `$ref`; a circle of references ends where it closes. */
function referenced(node: JsonObject, context: SchemaContext, seen: Set<string>): Json[] {
  const reference = node.$ref;
  if (typeof reference !== "string" || seen.has(reference)) return [];
  seen.add(reference);
  const tokens = pointerTokens(reference);
  const target = tokens === null ? undefined : resolvePointer(context.root, tokens);
  return target === undefined ? [] : [target];
}

/** What follows both shapes. */
function both(first: Shape | null, second: Shape | null): Shape | null {
  if (first === null || second === null) return null;
  const properties = new Map(first.properties);
  for (const [name, schema] of second.properties) {
    const present = properties.get(name);
    const same = present === undefined || JSON.stringify(present) === JSON.stringify(schema);
    properties.set(name, same ? schema : { allOf: [present, schema] });
  }
  return {
    properties,
    required: new Set([...first.required, ...second.required]),
    closed: first.closed || second.closed,
    notes: [...first.notes, ...second.notes],
  };
}

/** What follows the shape and at least one of the branches. A property that the shape describes stays as it is. */
function withGroup(
  shape: Shape | null,
  branches: readonly Shape[],
  keyword: "oneOf" | "anyOf",
  context: SchemaContext,
): Shape | null {
  const [first, ...others] = branches;
  if (shape === null || first === undefined) return shape;
  const properties = new Map(shape.properties);
  const open = branches.filter(({ closed }) => !closed).length;
  for (const [name, { schemas, openBranches }] of describedBy(branches)) {
    if (!properties.has(name)) properties.set(name, oneOfThem([...schemas.values()], openBranches < open));
  }
  const common = [...first.required].filter((name) => others.every((branch) => branch.required.has(name)));
  const notes = [...shape.notes, ...branches.flatMap((branch) => branch.notes)];
  const note = groupNote(branches, common, keyword, context);
  return {
    properties,
    required: new Set([...shape.required, ...common]),
    closed: shape.closed || open === 0,
    notes: note === null ? notes : [...notes, note],
  };
}

/** What the branches that describe a property say of it. */
interface Described {
  /** Each once, by its JSON. */
  readonly schemas: Map<string, Json>;
  /** How many of these branches allow other properties. */
  openBranches: number;
}

function describedBy(branches: readonly Shape[]): ReadonlyMap<string, Described> {
  const found = new Map<string, Described>();
  for (const { properties, closed } of branches) {
    for (const [name, schema] of properties) {
      const described = found.get(name) ?? { schemas: new Map<string, Json>(), openBranches: 0 };
      described.schemas.set(JSON.stringify(schema), schema);
      if (!closed) described.openBranches += 1;
      found.set(name, described);
    }
  }
  return found;
}

/** A property that follows one of the schemas, or is anything: then they are still there, to tell what is meant. */
function oneOfThem(schemas: readonly Json[], orAnything: boolean): Json {
  const [only] = schemas;
  const widen = orAnything && !schemas.some(saysNothing);
  if (only === undefined || schemas.length > 1) return { anyOf: widen ? [...schemas, {}] : schemas };
  if (!widen) return only;
  if (!isObject(only)) return { anyOf: [only, {}] };
  const { description, ...typed } = only as JsonObject;
  return { ...(description === undefined ? {} : { description }), anyOf: [typed, {}] };
}

/** Whether everything follows a schema. */
function saysNothing(schema: Json): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every((name) => annotations.has(name)));
}

/** The sentence that tells the model what the branches required beyond what all of them do. */
function groupNote(
  branches: readonly Shape[],
  common: readonly string[],
  keyword: "oneOf" | "anyOf",
  context: SchemaContext,
): string | null {
  const groups = branches
    .map((branch) => [...branch.required].filter((name) => !common.includes(name)).map(context.renames.send))
    .filter((names) => names.length > 0)
    .map((names) => names.join(" + "));
  if (groups.length < 2) return null;
  const note = `Give ${keyword === "oneOf" ? "exactly" : "at least"} one of: ${groups.join(", or ")}.`;
  return note.length <= 500 ? note : null;
}
