import { isObject } from "../../../util/own.ts";
import { firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;
const propertyPattern = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Tools that the client defines: those of a type the API provides have no schema. */
function customTools(request: WireObject): { readonly tool: WireObject; readonly path: string }[] {
  return objectsOf(request.tools)
    .map((tool, index) => ({ tool, path: `tools.${index}.custom` }))
    .filter(({ tool }) => tool.type === undefined || tool.type === null || tool.type === "custom");
}

/** A tool has a name and an object as its schema, whose `type` is `object`. */
export const toolShapes: Rule = (request) =>
  firstRefusal(customTools(request), ({ tool, path }) => {
    if (tool.name === undefined) return `${path}.name: Field required`;
    if (tool.description !== undefined && typeof tool.description !== "string") {
      return `${path}.description: Input should be a valid string`;
    }
    if (tool.input_schema === undefined) return `${path}.input_schema: Field required`;
    if (!isObject(tool.input_schema)) return `${path}.input_schema: Input should be a valid dictionary`;
    if (tool.input_schema.type === undefined) return `${path}.input_schema.type: Field required`;
    return tool.input_schema.type === "object" ? null : `${path}.input_schema.type: Input should be 'object'`;
  });

/** Rule 3: the characters of a tool's name. */
export const toolNames: Rule = (request) =>
  firstRefusal(customTools(request), ({ tool, path }) =>
    typeof tool.name === "string" && namePattern.test(tool.name)
      ? null
      : `${path}.name: String should match pattern '${namePattern.source}'`,
  );

/** Rule 4: no two tools of one name. */
export const uniqueToolNames: Rule = (request) => {
  const names = objectsOf(request.tools).map((tool) => tool.name);
  return new Set(names).size === names.length ? null : "tools: Tool names must be unique.";
};

/** Rule 5: no combinators at the root of a schema. */
export const rootCombinators: Rule = (request) =>
  firstRefusal(customTools(request), ({ tool, path }) => {
    const schema = tool.input_schema as WireObject;
    return ["oneOf", "allOf", "anyOf"].some((name) => Object.hasOwn(schema, name))
      ? `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
      : null;
  });

/** Rule 7: the characters of property keys, at every depth of a schema. */
export const propertyKeys: Rule = (request) =>
  firstRefusal(customTools(request), ({ tool, path }) =>
    hasBadKey(tool.input_schema, true)
      ? `${path}.input_schema.properties: Property keys should match pattern '${propertyPattern.source}'`
      : null,
  );

/** Keywords whose value is data, not a schema. */
const plainValues = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords whose members are schemas by name. */
const namedSchemas = new Set(["$defs", "definitions", "patternProperties", "dependentSchemas"]);

function hasBadKey(value: unknown, isSchema: boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => hasBadKey(item, true));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    if (!isSchema) return hasBadKey(member, true);
    if (plainValues.has(name)) return false;
    if (name !== "properties" || !isObject(member)) return hasBadKey(member, !namedSchemas.has(name));
    return Object.entries(member).some(
      ([key, property]) => !propertyPattern.test(key) || hasBadKey(property, true),
    );
  });
}
