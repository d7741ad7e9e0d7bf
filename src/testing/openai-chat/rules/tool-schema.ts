import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import type { ChatServerKind } from "../server-kind.ts";
import {
  type ChatRule,
  firstRefusal,
  functionsOf,
  type PlacedFunction,
  type RuleRefusal,
} from "./request-view.ts";

function invalid({ path, name }: PlacedFunction, problem: string): RuleRefusal {
  return {
    message: `Invalid schema for function '${name}': ${problem}`,
    param: `${path}.parameters`,
    code: "invalid_function_parameters",
  };
}

/** Parameters are a schema of an object. */
export const rootType: ChatRule = (request) =>
  firstRefusal(functionsOf(request), (placed) => {
    const { parameters } = placed.definition;
    if (parameters === undefined) return null;
    const type = isObject(parameters) ? parameters.type : undefined;
    if (type === "object") return null;
    const got = type === undefined ? "None" : Array.isArray(type) ? JSON.stringify(type) : String(type);
    return invalid(placed, `schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`);
  });

const refusedAtRoot: readonly string[] = ["oneOf", "anyOf", "allOf", "enum", "not"];

/** No combinators at the root of a schema. */
export const rootCombinators: ChatRule = (request) =>
  firstRefusal(functionsOf(request), (placed) => {
    const { parameters } = placed.definition;
    if (!isObject(parameters) || !refusedAtRoot.some((name) => Object.hasOwn(parameters, name))) return null;
    const problem =
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
    return invalid(placed, problem);
  });

/** A node of a schema, with the path that messages name it by. */
export interface SchemaNode {
  readonly context: readonly (string | number)[];
  readonly schema: WireObject;
}

const single: readonly string[] = ["items", "additionalProperties", "contains", "not", "if", "then", "else"];
const lists: readonly string[] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const named: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
];

export function nodesOf(schema: unknown, context: readonly (string | number)[] = []): SchemaNode[] {
  if (!isObject(schema)) return [];
  const below = (value: unknown, ...steps: (string | number)[]): SchemaNode[] =>
    nodesOf(value, [...context, ...steps]);
  return [
    { context, schema },
    ...single.flatMap((name) => below(schema[name], name)),
    ...lists.flatMap((name) => {
      const members = schema[name];
      return Array.isArray(members)
        ? members.flatMap((member, index) => below(member, name, String(index)))
        : [];
    }),
    ...named.flatMap((name) => {
      const members = schema[name];
      return isObject(members)
        ? Object.entries(members).flatMap(([key, member]) => below(member, name, key))
        : [];
    }),
  ];
}

/** A path as Python writes a tuple. */
function tuple(context: readonly (string | number)[]): string {
  const parts = context.map((part) => `'${part}'`);
  return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`;
}

const known = new Map<string, readonly SchemaNode[]>();

/** The nodes of a function's schema, found once for the same text. */
function schemaNodes({ definition }: PlacedFunction): readonly SchemaNode[] {
  const key = JSON.stringify(definition.parameters) ?? "";
  const found = known.get(key) ?? nodesOf(definition.parameters);
  if (known.size > 2_000) known.clear();
  known.set(key, found);
  return found;
}

function hasType({ type }: WireObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

/** Servers that write schemas into a grammar take open objects and arrays as they are. */
const open: ReadonlySet<ChatServerKind> = new Set(["llamacpp", "lmstudio"]);

/** Every object has `properties`. */
export const objectProperties: ChatRule = (request, kind) =>
  firstRefusal(open.has(kind) ? [] : functionsOf(request), (placed) => {
    const found = schemaNodes(placed).find(
      ({ schema }) => hasType(schema, "object") && !isObject(schema.properties),
    );
    if (found === undefined) return null;
    return invalid(placed, `In context=${tuple(found.context)}, object schema missing properties.`);
  });

/** Every array has `items`. */
export const arrayItems: ChatRule = (request, kind) =>
  firstRefusal(open.has(kind) ? [] : functionsOf(request), (placed) => {
    const found = schemaNodes(placed).find(
      ({ schema }) => hasType(schema, "array") && schema.items === undefined,
    );
    if (found === undefined) return null;
    return invalid(placed, `In context=${tuple(found.context)}, array schema missing items.`);
  });

let ajv: Ajv2020 | undefined;

/** Loaded at the first schema: a program that only imports the package does not pay for it. */
function metaschema(): Ajv2020 {
  if (ajv === undefined) {
    const load = createRequire(import.meta.url);
    const { Ajv2020: Validator } = load("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
    ajv = new Validator({ strict: false, logger: false, validateFormats: false });
  }
  return ajv;
}

const sound = new Map<string, boolean>();

/** The schema is one. The API names the first value that is wrong; the words here are not literal. */
export const schemaSound: ChatRule = (request) =>
  firstRefusal(functionsOf(request), (placed) => {
    const { parameters } = placed.definition;
    if (!isObject(parameters)) return null;
    const key = JSON.stringify(parameters);
    const good = sound.get(key) ?? (metaschema().validateSchema(parameters) === true && refsLead(parameters));
    if (sound.size > 2_000) sound.clear();
    sound.set(key, good);
    return good ? null : invalid(placed, "it is not a valid JSON Schema.");
  });

function refsLead(root: WireObject): boolean {
  return nodesOf(root).every(({ schema }) => typeof schema.$ref !== "string" || leads(root, schema.$ref));
}

function leads(root: WireObject, reference: string): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  let node: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return false;
    node = (node as Record<string, unknown>)[name];
  }
  return isObject(node) || typeof node === "boolean";
}

/** `strict: true` wants closed objects, every property required, no `allOf`. */
export const strictSchemas: ChatRule = (request) =>
  firstRefusal(functionsOf(request), (placed) => {
    if (placed.definition.strict !== true) return null;
    for (const { context, schema } of schemaNodes(placed)) {
      const at = `In context=${tuple(context)}`;
      if (Object.hasOwn(schema, "allOf")) return invalid(placed, `${at}, 'allOf' is not permitted.`);
      if (!hasType(schema, "object")) continue;
      if (schema.additionalProperties !== false) {
        return invalid(placed, `${at}, 'additionalProperties' is required to be supplied and to be false.`);
      }
      const required = Array.isArray(schema.required) ? schema.required : [];
      const missing = Object.keys(schema.properties ?? {}).find((name) => !required.includes(name));
      if (missing === undefined) continue;
      const problem = `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
      return invalid(placed, `${at}, ${problem}`);
    }
    return null;
  });
