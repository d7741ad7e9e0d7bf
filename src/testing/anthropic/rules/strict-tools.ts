import { isObject } from "../../../util/own.ts";
import { firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

const mostTools = 20;
const mostOptional = 24;
const mostUnions = 16;

function strictTools(request: WireObject): { readonly tool: WireObject; readonly index: number }[] {
  return objectsOf(request.tools)
    .map((tool, index) => ({ tool, index }))
    .filter(({ tool }) => tool.strict === true);
}

/** Rule 33: at most 20 strict tools. */
export const fewStrictTools: Rule = (request) => {
  const found = strictTools(request).length;
  return found > mostTools
    ? `Too many strict tools (${found}). The maximum number of strict tools supported is ${mostTools}. ` +
        "Try reducing the number of tools marked as strict."
    : null;
};

/** Rule 33: at most 24 parameters that may be left out, in all strict tools together. */
export const fewOptionalParameters: Rule = (request) => {
  const found = sum(request, (schema) => {
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.keys(isObject(schema.properties) ? schema.properties : {}).filter(
      (name) => !required.includes(name),
    ).length;
  });
  return found > mostOptional
    ? `Schemas contains too many optional parameters (${found}), which would make grammar compilation inefficient. ` +
        `Reduce the number of optional parameters in your tool schemas (limit: ${mostOptional}).`
    : null;
};

/** Rule 33: at most 16 parameters of several types, in all strict tools together. */
export const fewUnions: Rule = (request) => {
  const found = sum(request, (schema) => (Array.isArray(schema.type) || schema.anyOf !== undefined ? 1 : 0));
  return found > mostUnions
    ? `Schemas contains too many parameters with union types (${found} parameters with type arrays or anyOf). This ` +
        "causes exponential compilation cost. Reduce the number of nullable or union-typed parameters " +
        `(limit: ${mostUnions} parameters with unions).`
    : null;
};

/** Rule 33: a strict schema says of every object that it has no other members. */
export const strictObjectsClosed: Rule = (request) =>
  firstRefusal(strictTools(request), ({ tool, index }) =>
    schemasOf(tool.input_schema).every(
      (schema) => schema.type !== "object" || schema.additionalProperties === false,
    )
      ? null
      : `tools.${index}.custom: For 'object' type, 'additionalProperties' must be explicitly set to false`,
  );

const numberBounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** Rule 33: a strict schema sets no bounds to numbers. */
export const strictNumbersFree: Rule = (request) =>
  firstRefusal(strictTools(request), ({ tool, index }) =>
    firstRefusal(schemasOf(tool.input_schema), (schema) => {
      const found = numberBounds.filter((name) => Object.hasOwn(schema, name));
      if (found.length === 0) return null;
      const listed = found.sort().join(", ");
      return `tools.${index}.custom: For '${schema.type}' type, properties ${listed} are not supported`;
    }),
  );

function sum(request: WireObject, count: (schema: WireObject) => number): number {
  return strictTools(request)
    .flatMap(({ tool }) => schemasOf(tool.input_schema))
    .reduce((total, schema) => total + count(schema), 0);
}

/** A schema and every schema inside it. */
function schemasOf(value: unknown): WireObject[] {
  if (!isObject(value)) return [];
  const named = ["properties", "$defs", "definitions"].flatMap((name) =>
    isObject(value[name]) ? Object.values(value[name]) : [],
  );
  const listed = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((name) =>
    Array.isArray(value[name]) ? value[name] : [],
  );
  return [value, ...[...named, ...listed, value.items].flatMap(schemasOf)];
}
