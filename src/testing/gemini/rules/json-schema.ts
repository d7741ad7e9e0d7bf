import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import {
  fieldProblem,
  firstRefusal,
  functionsOf,
  type GeminiRequest,
  type GeminiRule,
} from "./request-view.ts";

/** A schema of `parametersJsonSchema`, with its place in the request. */
interface PlacedSchema {
  readonly path: string;
  readonly schema: unknown;
}

function schemasOf(request: GeminiRequest): PlacedSchema[] {
  return functionsOf(request).flatMap(({ path, declaration: { parametersJsonSchema: schema } }) =>
    schema === undefined ? [] : [{ path: `${path}.parameters_json_schema`, schema }],
  );
}

/** A node of a schema, with its place inside of it. */
interface Node {
  readonly place: readonly string[];
  readonly schema: WireObject;
}

/** Every object of the schema that is no map of names. */
function nodesOf(value: unknown, place: readonly string[] = []): Node[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nodesOf(item, [...place, String(index)]));
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([name, member]) => {
    if (values.has(name)) return [];
    if (!maps.has(name) || !isObject(member)) return nodesOf(member, [...place, name]);
    return Object.entries(member).flatMap(([key, one]) => nodesOf(one, [...place, name, key]));
  });
  return [{ place, schema: value }, ...below];
}

const maps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);
const values: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

/** It describes an object. */
export const describesObject: GeminiRule = (request) =>
  firstRefusal(schemasOf(request), ({ path, schema }) =>
    isObject(schema) && schema.type === "object"
      ? null
      : fieldProblem(path, "the schema must describe an object"),
  );

/** The dialect is not named: it is not among what is supported. */
export const noDialect: GeminiRule = (request) =>
  firstRefusal(schemasOf(request), ({ path, schema }) =>
    isObject(schema) && schema.$schema !== undefined ? fieldProblem(path, "$schema is not supported") : null,
  );

/** References lead somewhere. */
export const referencesLead: GeminiRule = (request) =>
  firstRefusal(schemasOf(request), ({ schema }) =>
    firstRefusal(nodesOf(schema), ({ place, schema: { $ref } }) => {
      if (typeof $ref !== "string" || leads(schema, $ref)) return null;
      const where = place.length === 0 ? "top-level" : place.join(".");
      return { message: `reference to undefined schema at ${where}` };
    }),
  );

function leads(root: unknown, reference: string): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  let node = root;
  for (const token of reference.slice(2).split("/")) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return false;
    node = (node as WireObject)[name];
  }
  return isObject(node);
}

const besideReference: ReadonlySet<string> = new Set(["$ref", "$defs", "description", "default"]);

/** A reference stands alone. */
export const referencesAlone: GeminiRule = (request) =>
  firstRefusal(schemasOf(request), ({ schema }) =>
    firstRefusal(nodesOf(schema), ({ schema: node }) => {
      const { $ref } = node;
      if (typeof $ref !== "string" || Object.keys(node).every((name) => besideReference.has(name)))
        return null;
      return {
        message: `$ref '${$ref.slice($ref.lastIndexOf("/") + 1)}' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it`,
      };
    }),
  );
