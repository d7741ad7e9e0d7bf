import type { ElicitationField, ElicitationOption } from "../types/elicitation.ts";
import type { Json } from "../types/json.ts";
import { visibleLine } from "../util/visible.ts";

/** What was typed into a field: a value, nothing at all, or a reason why it is neither. */
export type TypedValue =
  | { readonly type: "value"; readonly value: Json }
  | { readonly type: "nothing" }
  | { readonly type: "unclear"; readonly problem: string };

/** The lines that describe a field, escaped: its name first, then what the server says of it, then its choices. */
export function fieldLines(field: ElicitationField): readonly string[] {
  const { name, title, description, required } = field;
  const label =
    title === undefined || title === name
      ? visibleLine(name)
      : `${visibleLine(title)} (${visibleLine(name)})`;
  const facts = [required ? "required" : "optional", kindOf(field), ...defaultOf(field)].join(", ");
  return [
    `${label}: ${facts}`,
    ...(description === undefined ? [] : [`The server's words: ${visibleLine(JSON.stringify(description))}`]),
    ...optionLines(field),
  ];
}

function kindOf(field: ElicitationField): string {
  switch (field.type) {
    case "string": {
      const formats = { email: "e-mail address", uri: "URL", date: "date", "date-time": "date and time" };
      return field.format === undefined ? "text" : formats[field.format];
    }
    case "number":
    case "integer": {
      const { minimum, maximum } = field;
      const kind = field.type === "integer" ? "whole number" : "number";
      const from = minimum === undefined ? "" : ` from ${minimum}`;
      return `${kind}${from}${maximum === undefined ? "" : ` to ${maximum}`}`;
    }
    case "boolean":
      return "y or n";
    case "choice":
      return "one number of the list";
    case "choices":
      return "numbers of the list, with commas between them";
  }
}

function defaultOf(field: ElicitationField): string[] {
  if (field.default === undefined) return field.required ? [] : ["Enter leaves it out"];
  return [`Enter takes ${visibleLine(JSON.stringify(field.default))}`];
}

function optionLines(field: ElicitationField): string[] {
  if (field.type !== "choice" && field.type !== "choices") return [];
  return field.options.map(({ value, title }, index) => {
    const aside = title === value ? "" : ` (${visibleLine(value)})`;
    return `  ${index + 1}) ${visibleLine(title)}${aside}`;
  });
}

/** Reads what was typed; whether it fits the field is for the host to say. */
export function readTyped(field: ElicitationField, typed: string): TypedValue {
  const text = typed.trim();
  if (text === "") return field.default === undefined ? { type: "nothing" } : value(field.default);
  switch (field.type) {
    case "string":
      return value(field.format === undefined ? typed : text);
    case "number":
    case "integer":
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
        ? value(Number(text))
        : unclear("a number");
    case "boolean": {
      const yes = /^(?:y|yes|true)$/i.test(text);
      return yes || /^(?:n|no|false)$/i.test(text) ? value(yes) : unclear("y or n");
    }
    case "choice": {
      const chosen = optionOf(field.options, text);
      return chosen === undefined ? unclear(`a number from 1 to ${field.options.length}`) : value(chosen);
    }
    case "choices": {
      const parts = text.split(",").map((part) => optionOf(field.options, part.trim()));
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? value(known) : unclear("numbers of the list, such as 1,3");
    }
  }
}

const value = (of: Json): TypedValue => ({ type: "value", value: of });
const unclear = (expected: string): TypedValue => ({ type: "unclear", problem: `Type ${expected}.` });

/** By its number, or by its value as it is written. */
function optionOf(options: readonly ElicitationOption[], text: string): string | undefined {
  const byNumber = /^\d{1,4}$/.test(text) ? options[Number(text) - 1]?.value : undefined;
  return byNumber ?? options.find((option) => option.value === text)?.value;
}
