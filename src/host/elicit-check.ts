import type { ElicitationField } from "../types/elicitation.ts";
import type { Json } from "../types/json.ts";
import { own } from "../util/own.ts";

const longestAnswer = 100_000;
/** Each is run on a bounded text and never backtracks. */
const emailLike = /^[^\s@]+@[^\s@]+$/;
const dateLike = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeLike = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * What is wrong with the answer to a form, a sentence for each field, without its value. None: the server may have it.
 * Members that the form does not have are wrong too.
 */
export function checkElicitation(
  fields: readonly ElicitationField[],
  content: Readonly<Record<string, Json>>,
): readonly string[] {
  const known = new Set(fields.map(({ name }) => name));
  const foreign = Object.keys(content).filter((name) => !known.has(name));
  const problems = fields.flatMap((field) => {
    const problem = checkField(field, own(content, field.name));
    return problem === null ? [] : [`${JSON.stringify(field.name)} ${problem}.`];
  });
  return [...problems, ...foreign.map((name) => `${JSON.stringify(name)} is no field of the form.`)];
}

/** What would be right, where the value of a field is not; undefined is a field that was left out. */
function checkField(field: ElicitationField, value: Json | undefined): string | null {
  if (value === undefined) return field.required ? "is required" : null;
  switch (field.type) {
    case "string":
      return checkText(field, value);
    case "number":
    case "integer":
      return checkNumber(field, value);
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "choice":
      return field.options.some((option) => option.value === value) ? null : "must be one of the choices";
    case "choices":
      return checkChoices(field, value);
  }
}

type FieldOf<Type extends ElicitationField["type"]> = Extract<ElicitationField, { type: Type }>;

function checkText({ format, minLength = 0, maxLength }: FieldOf<"string">, value: Json): string | null {
  if (typeof value !== "string" || value.length > longestAnswer) return "must be a text";
  const length = [...value].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  return format === undefined || hasFormat(format, value) ? null : formatProblems[format];
}

const formatProblems = {
  email: "must be an e-mail address",
  uri: "must be a URL, such as https://example.com",
  date: "must be a date, such as 2026-01-31",
  "date-time": "must be a date and time, such as 2026-01-31T12:00:00Z",
} as const;

function hasFormat(format: keyof typeof formatProblems, value: string): boolean {
  switch (format) {
    case "email":
      return emailLike.test(value);
    case "uri":
      return URL.canParse(value);
    case "date":
      return isDate(value);
    case "date-time":
      return timeLike.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
  }
}

/** A day that there is: a calendar rolls others over. */
function isDate(value: string): boolean {
  const [, year, month, day] = dateLike.exec(value)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function checkNumber({ type, minimum, maximum }: FieldOf<"number" | "integer">, value: Json): string | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  if (type === "integer" && !Number.isSafeInteger(value)) return "must be a whole number";
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : null;
}

function checkChoices({ options, minItems = 0, maxItems }: FieldOf<"choices">, value: Json): string | null {
  if (!Array.isArray(value)) return "must be a list of choices";
  const offered = new Set<Json>(options.map((option) => option.value));
  const chosen = new Set<Json>(value);
  if (chosen.size !== value.length) return "must name each choice once";
  if (value.some((one: Json) => !offered.has(one))) return "must hold choices of the list only";
  if (value.length < minItems) return `must hold at least ${minItems}`;
  return maxItems !== undefined && value.length > maxItems ? `must hold at most ${maxItems}` : null;
}

/** The content with the defaults of the fields that it leaves out, where they fit (MCP 2025-11-25, elicitation). */
export function withDefaults(
  fields: readonly ElicitationField[],
  content: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const missing = fields.filter(({ name }) => own(content, name) === undefined);
  const defaults = missing.flatMap((field) =>
    field.default === undefined || checkField(field, field.default) !== null
      ? []
      : [[field.name, field.default] as const],
  );
  return Object.fromEntries([...Object.entries(content), ...defaults]);
}
