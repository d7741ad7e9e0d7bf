import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import {
  fieldProblem,
  firstRefusal,
  functionsOf,
  type GeminiRequest,
  type GeminiRule,
  objectsOf,
} from "./request-view.ts";

/** A node of a function's `parameters`, with the place that messages name it by. */
interface Node {
  readonly path: string;
  readonly schema: WireObject;
}

function nodesOf(path: string, schema: unknown): Node[] {
  if (!isObject(schema)) return [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    { path, schema },
    ...nodesOf(`${path}.items`, schema.items),
    ...objectsOf(schema.anyOf).flatMap((branch, index) => nodesOf(`${path}.any_of[${index}]`, branch)),
    ...properties.flatMap(([name, member]) => nodesOf(`${path}.properties[${name}]`, member)),
  ];
}

function parametersOf(request: GeminiRequest): Node[] {
  return functionsOf(request).flatMap(({ path, declaration }) =>
    isObject(declaration.parameters) ? [{ path: `${path}.parameters`, schema: declaration.parameters }] : [],
  );
}

function allNodes(request: GeminiRequest): Node[] {
  return parametersOf(request).flatMap(({ path, schema }) => nodesOf(path, schema));
}

function typeOf({ type }: WireObject): string {
  return String(type ?? "").toUpperCase();
}

/** A rule about every node. */
const eachNode =
  (check: (schema: WireObject) => readonly [field: string, problem: string] | null): GeminiRule =>
  (request) =>
    firstRefusal(allNodes(request), ({ path, schema }) => {
      const found = check(schema);
      return found === null ? null : fieldProblem(`${path}${found[0]}`, found[1]);
    });

/** Parameters are an object. */
export const objectRoot: GeminiRule = (request) =>
  firstRefusal(parametersOf(request), ({ path, schema }) =>
    typeOf(schema) === "OBJECT" ? null : fieldProblem(`${path}.type`, "schema should be of type OBJECT"),
  );

const types: ReadonlySet<string> = new Set("STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL".split(" "));

/** A type is one that the API knows. */
export const knownTypes: GeminiRule = (request) =>
  firstRefusal(allNodes(request), ({ path, schema }) => {
    if (schema.type === undefined || types.has(typeOf(schema))) return null;
    return {
      message: `Invalid value at '${path}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ${JSON.stringify(schema.type)}`,
    };
  });

/** Every node has a type, unless it is made of others. */
export const typedNodes: GeminiRule = eachNode((schema) =>
  schema.type === undefined && schema.anyOf === undefined ? [".type", "schema type is not specified"] : null,
);

const beside: ReadonlySet<string> = new Set(["anyOf", "title", "description", "nullable"]);

/** Beside `any_of` nothing else constrains. */
export const anyOfAlone: GeminiRule = eachNode((schema) =>
  schema.anyOf !== undefined && Object.keys(schema).some((name) => !beside.has(name))
    ? [".any_of", "when using any_of, it must be the only field set"]
    : null,
);

/** `properties` belong to objects. */
export const propertiesOfObjects: GeminiRule = eachNode((schema) =>
  schema.properties !== undefined && typeOf(schema) !== "OBJECT" && schema.anyOf === undefined
    ? [".properties", "only allowed for OBJECT type"]
    : null,
);

/** Every object has properties. */
export const objectProperties: GeminiRule = eachNode((schema) =>
  typeOf(schema) === "OBJECT" && Object.keys(schema.properties ?? {}).length === 0
    ? [".properties", "should be non-empty for OBJECT type"]
    : null,
);

/** The names of parameters. */
export const parameterNames: GeminiRule = eachNode(({ properties }) => {
  const bad = Object.keys(properties ?? {}).find((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name));
  return bad === undefined
    ? null
    : [
        `.properties[${bad}]`,
        "Parameter names must start with a letter or an underscore and must only contain chars a-z, A-Z, 0-9, or underscores with a maximum length of 64.",
      ];
});

/** What is required is defined. */
export const requiredDefined: GeminiRule = eachNode(({ properties, required }) => {
  const names = Array.isArray(required) ? required : [];
  const at = names.findIndex((name) => !Object.hasOwn(properties ?? {}, String(name)));
  return at === -1 ? null : [`.required[${at}]`, "property is not defined"];
});

/** Every array has items. */
export const arrayItems: GeminiRule = eachNode((schema) =>
  typeOf(schema) === "ARRAY" && schema.items === undefined ? [".items", "missing field."] : null,
);

/** Items belong to arrays. */
export const itemsOfArrays: GeminiRule = eachNode((schema) =>
  schema.items !== undefined && typeOf(schema) !== "ARRAY" && schema.anyOf === undefined
    ? [".items", "field predicate failed: $type == Type.ARRAY"]
    : null,
);

/** Enums are of strings. */
export const enumsOfStrings: GeminiRule = eachNode((schema) =>
  schema.enum !== undefined && typeOf(schema) !== "STRING" ? [".enum", "only allowed for STRING type"] : null,
);

/** No value of an enum is empty. */
export const enumValues: GeminiRule = eachNode((schema) => {
  const at = Array.isArray(schema.enum) ? schema.enum.indexOf("") : -1;
  return at === -1 ? null : [`.enum[${at}]`, "cannot be empty"];
});

/** The formats of strings. */
export const stringFormats: GeminiRule = eachNode((schema) =>
  typeOf(schema) !== "STRING" ||
  schema.format === undefined ||
  ["enum", "date-time"].includes(String(schema.format))
    ? null
    : [".format", "only 'enum' and 'date-time' are supported for STRING type"],
);
