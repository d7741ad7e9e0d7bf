import type { ElicitationAsked, ElicitationField } from "../../types/elicitation.ts";
import type { Json, JsonObject } from "../../types/json.ts";
import { oneLine } from "../../util/one-line.ts";
import { isObject, own } from "../../util/own.ts";
import { readField } from "./read-field.ts";

const mostFields = 50;
const longestName = 200;

/** What people type into such fields must not go to a server through a form (MCP 2025-11-25, elicitation, security). */
const secretLike =
  /pass(?:word|wd|phrase|code)|secret|token|api[-_ ]?key|credential|private[-_ ]?key|\bpin\b|\bcvv\b|\bcvc\b|card[-_ ]?number/i;

/**
 * The form that a `requestedSchema` stands for: a flat object of primitive values, and nothing else (MCP 2025-11-25,
 * elicitation, form mode). A text says why it is none.
 */
export function readForm(message: string, requested: unknown): ElicitationAsked | string {
  const properties = isObject(requested) ? own(requested, "properties") : undefined;
  if (!isObject(requested) || own(requested, "type") !== "object" || !isObject(properties))
    return "the requested schema is no object with properties";
  const entries = Object.entries(properties);
  if (entries.length > mostFields) return `the form has more than ${mostFields} fields`;
  const listed = own(requested, "required");
  const required = new Set<unknown>(Array.isArray(listed) ? listed : []);
  const fields: ElicitationField[] = [];
  for (const [name, schema] of entries) {
    if (name.length > longestName) return `the name of a field is longer than ${longestName} characters`;
    const field = readField(name, schema, required.has(name));
    if (typeof field === "string") return `the field ${JSON.stringify(name)} cannot be shown: ${field}`;
    fields.push(field);
  }
  return { mode: "form", message, fields, schema: schemaOf(fields), warnings: fields.flatMap(warningOf) };
}

function warningOf({ name, title = "", description = "" }: ElicitationField): string[] {
  if (![name, title, description].some((text) => secretLike.test(text))) return [];
  return [
    `${JSON.stringify(oneLine(title || name, 60))} looks like a secret, and a server must not ask for one in a form.`,
  ];
}

/** The fields as JSON Schema, written anew from what was read. */
function schemaOf(fields: readonly ElicitationField[]): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, memberOf(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function memberOf(field: ElicitationField): JsonObject {
  const { name: _, required: __, type, ...rest } = field;
  if (type !== "choice" && type !== "choices") return { type, ...(rest as JsonObject) };
  const { options, ...others } = rest as { options: readonly { value: string; title: string }[] };
  const constants: readonly Json[] = options.map(({ value, title }) => ({ const: value, title }));
  return type === "choice"
    ? { type: "string", ...(others as JsonObject), oneOf: constants }
    : { type: "array", ...(others as JsonObject), items: { anyOf: constants } };
}
