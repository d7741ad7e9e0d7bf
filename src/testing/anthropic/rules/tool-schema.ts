import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../../util/own.ts";
import { firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

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

/** What was found about schemas already seen, so that the same tools are not checked at every turn. */
const known = new Map<string, boolean>();

function isSound(schema: WireObject): boolean {
  const text = JSON.stringify(schema);
  const found = known.get(text);
  if (found !== undefined) return found;
  const { $schema: _, ...rest } = schema;
  const sound = metaschema().validateSchema(rest) === true && refsResolve(rest);
  if (known.size > 5000) known.clear();
  known.set(text, sound);
  return sound;
}

/** Rule 6: a schema must be one of draft 2020-12, and its local references must lead somewhere. */
export const dialect: Rule = (request) =>
  firstRefusal(objectsOf(request.tools), (tool, index) => {
    if (!isObject(tool.input_schema) || isSound(tool.input_schema)) return null;
    return (
      `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 ` +
      "(https://json-schema.org/draft/2020-12). Learn more about tool use in the documentation."
    );
  });

function refsResolve(root: WireObject): boolean {
  const check = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.every(check);
    if (!isObject(value)) return true;
    if (typeof value.$ref === "string" && !resolves(root, value.$ref)) return false;
    return Object.entries(value).every(
      ([name, member]) => ["const", "enum", "default", "examples"].includes(name) || check(member),
    );
  };
  return check(root);
}

function resolves(root: WireObject, reference: string): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  let node: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const name = unescapePointer(token);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return false;
    node = (node as Record<string, unknown>)[name];
  }
  return isObject(node) || typeof node === "boolean";
}

function unescapePointer(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}
