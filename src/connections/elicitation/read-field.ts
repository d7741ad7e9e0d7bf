import type { ElicitationField, ElicitationOption } from "../../types/elicitation.ts";
import { oneLine } from "../../util/one-line.ts";
import { isObject, own } from "../../util/own.ts";

const longestTitle = 200;
const longestDescription = 1_000;
const longestDefault = 10_000;
const longestOption = 300;
const mostOptions = 200;
const formats = ["email", "uri", "date", "date-time"] as const;

type Base = Pick<ElicitationField, "name" | "title" | "description" | "required">;

/**
 * One member of a requested schema (MCP `PrimitiveSchemaDefinition`), or what is wrong with it. Keywords outside of the
 * specification's subset are passed over, so that none of them is ever run.
 */
export function readField(name: string, schema: unknown, required: boolean): ElicitationField | string {
  if (!isObject(schema)) return "it is no schema";
  const base: Base = {
    name,
    ...textMember(schema, "title", longestTitle),
    ...textMember(schema, "description", longestDescription),
    required,
  };
  switch (own(schema, "type")) {
    case "string":
      return "enum" in schema || "oneOf" in schema ? readChoice(base, schema) : readString(base, schema);
    case "number":
    case "integer":
      return readNumber(base, schema);
    case "boolean":
      return { ...base, type: "boolean", ...typed(schema, "default", isBoolean) };
    case "array":
      return readChoices(base, schema);
    default:
      return "its type is none of string, number, integer, boolean, and array of choices";
  }
}

type Schema = Readonly<Record<string, unknown>>;

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isShort = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longestDefault;

/** The member where it has its type; what has not is passed over. */
function typed<K extends string, T>(
  schema: Schema,
  key: K,
  is: (value: unknown) => value is T,
): { readonly [Name in K]?: T } {
  const value = own(schema, key);
  return is(value) ? ({ [key]: value } as { [Name in K]: T }) : {};
}

function textMember<K extends string>(
  schema: Schema,
  key: K,
  most: number,
): { readonly [Name in K]?: string } {
  const value = own(schema, key);
  const text = typeof value === "string" ? oneLine(value, most) : "";
  return text === "" ? {} : ({ [key]: text } as { [Name in K]: string });
}

function readString(base: Base, schema: Schema): ElicitationField {
  const format = formats.find((known) => known === own(schema, "format"));
  return {
    ...base,
    type: "string",
    ...(format === undefined ? {} : { format }),
    ...typed(schema, "minLength", isCount),
    ...typed(schema, "maxLength", isCount),
    ...typed(schema, "default", isShort),
  };
}

function readNumber(base: Base, schema: Schema): ElicitationField {
  const type = own(schema, "type") === "integer" ? "integer" : "number";
  const fits = (value: unknown): value is number =>
    isNumber(value) && (type === "number" || Number.isSafeInteger(value));
  return {
    ...base,
    type,
    ...typed(schema, "minimum", isNumber),
    ...typed(schema, "maximum", isNumber),
    ...typed(schema, "default", fits),
  };
}

function readChoice(base: Base, schema: Schema): ElicitationField | string {
  const options = readOptions(own(schema, "enum"), own(schema, "oneOf"), own(schema, "enumNames"));
  if (typeof options === "string") return options;
  const offered = (value: unknown): value is string => options.some((option) => option.value === value);
  return { ...base, type: "choice", options, ...typed(schema, "default", offered) };
}

function readChoices(base: Base, schema: Schema): ElicitationField | string {
  const items = own(schema, "items");
  if (!isObject(items)) return "its items are no choices";
  const options = readOptions(own(items, "enum"), own(items, "anyOf") ?? own(items, "oneOf"), undefined);
  if (typeof options === "string") return options;
  const values = new Set(options.map((option) => option.value));
  const offered = (value: unknown): value is readonly string[] =>
    Array.isArray(value) &&
    value.length <= values.size &&
    new Set(value).size === value.length &&
    value.every((one) => values.has(one));
  return {
    ...base,
    type: "choices",
    options,
    ...typed(schema, "minItems", isCount),
    ...typed(schema, "maxItems", isCount),
    ...typed(schema, "default", offered),
  };
}

/** `enum`, with `enumNames` as in older revisions, or constants with titles. */
function readOptions(
  values: unknown,
  titled: unknown,
  names: unknown,
): readonly ElicitationOption[] | string {
  const titles: unknown = Array.isArray(names) ? names : [];
  const listed: unknown = Array.isArray(values)
    ? values.map((value: unknown, index) => ({ const: value, title: (titles as unknown[])[index] }))
    : titled;
  if (!Array.isArray(listed) || listed.length === 0) return "it has no choices";
  if (listed.length > mostOptions) return `it has more than ${mostOptions} choices`;
  const options = new Map<string, ElicitationOption>();
  for (const one of listed) {
    const value: unknown = isObject(one) ? own(one, "const") : undefined;
    if (typeof value !== "string" || value.length > longestOption)
      return `a choice is no text of at most ${longestOption} characters`;
    const title: unknown = isObject(one) ? own(one, "title") : undefined;
    const named = typeof title === "string" && title !== value ? oneLine(title, longestTitle) : "";
    // A title of white space alone would show nothing to choose.
    const shown = named === "" ? value : named;
    options.set(value, { value, title: shown });
  }
  return [...options.values()];
}
