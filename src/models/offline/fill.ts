import type { Json, JsonObject } from "../../types/json.ts";
import { isObject, own } from "../../util/own.ts";
import { byRole, type Filling, free, take } from "./by-role.ts";
import { surelyValid } from "./check.ts";
import { fillNumbers } from "./numbers.ts";
import { type Goal, isValue } from "./question.ts";
import type { Token } from "./tokens.ts";
import { type Parameter, parametersOf, type ToolFacts } from "./tool-facts.ts";
import { linkedToken, readsAsPath } from "./values.ts";
import { stemsOf } from "./words.ts";

/** Arguments found in a question. */
export interface Filled {
  /** Valid against the tool's schema when `missing` is empty. */
  readonly arguments: JsonObject;
  /** Names of required parameters that the question says nothing about. */
  readonly missing: readonly string[];
  /** Share of the values in the question that became arguments, 0 to 1; 1 when it holds none. */
  readonly coverage: number;
}

const deepestObject = 3;
const mostEnumValues = 200;

/** Fills a tool's arguments from a goal. Never throws, and never guesses a required value. */
export function fillArguments(facts: ToolFacts, goal: Goal): Filled {
  const filling: Filling = { facts, goal, used: new Set() };
  const filled = fillObject(facts.parameters, filling, 0);
  const values = goal.tokens.filter((token) => isValue(token));
  const covered = values.filter((token) => filling.used.has(token)).length;
  const missing = [...filled.missing];
  const numbersLeft = values.some((token) => token.kind === "number" && !filling.used.has(token));
  const takesNumbers = facts.parameters.some((each) => each.required && each.type === "number");
  if (missing.length === 0 && takesNumbers && numbersLeft) missing.push("a place for every number");
  const left = values.find((token) => !filling.used.has(token) && token.text !== facts.tool.definition.name);
  // What may change something runs only when every value of the question has its place in it.
  if (missing.length === 0 && !facts.readOnly && left !== undefined)
    missing.push(`a place for “${left.text}”`);
  if (missing.length === 0 && !surelyValid(facts.tool.definition.inputSchema, filled.arguments)) {
    missing.push("arguments that fit its schema");
  }
  return {
    arguments: filled.arguments,
    missing,
    coverage: values.length === 0 ? 1 : covered / values.length,
  };
}

function fillObject(
  parameters: readonly Parameter[],
  filling: Filling,
  depth: number,
): { arguments: JsonObject; missing: string[] } {
  const found = new Map<string, Json>();
  const keep = (parameter: Parameter, value: Json | undefined) => {
    if (value !== undefined && !found.has(parameter.name) && surelyValid(parameter.schema, value)) {
      found.set(parameter.name, value);
    }
  };
  for (const parameter of parameters) keep(parameter, assigned(parameter, filling));
  for (const parameter of parameters) keep(parameter, enumWord(parameter, filling));
  const open = () => parameters.filter((parameter) => !found.has(parameter.name));
  for (const [parameter, value] of fillNumbers(open(), filling.goal, filling.used)) keep(parameter, value);
  for (const parameter of open()) keep(parameter, flag(parameter, filling));
  for (const parameter of open()) keep(parameter, linked(parameter, filling));
  // A glob goes first: a search for names takes the file's name for it, and only then a path to look in.
  for (const globs of [true, false]) {
    for (const parameter of open()) {
      if ((parameter.role === "glob") === globs) keep(parameter, byRole(parameter, filling, parameters));
    }
  }
  const lists = open().filter((parameter) => parameter.required && parameter.type === "objects");
  for (const parameter of lists) keep(parameter, objects(parameter, filling, depth));
  for (const parameter of open())
    if (parameter.required) keep(parameter, fallback(parameter, filling, depth));
  const missing = open()
    .filter((parameter) => parameter.required)
    .map((parameter) => parameter.name);
  return { arguments: Object.fromEntries(found), missing };
}

/** `name=value` in the question. */
function assigned(parameter: Parameter, filling: Filling): Json | undefined {
  const token = free(filling).find(
    (each) => each.kind === "assignment" && each.text.slice(0, each.text.indexOf("=")) === parameter.name,
  );
  if (token === undefined) return undefined;
  const text = token.text.slice(token.text.indexOf("=") + 1);
  const values: Readonly<Record<string, Json>> = {
    string: text,
    number: Number(text),
    boolean: text === "true",
  };
  const value =
    parameter.type === "boolean" && !/^(?:true|false)$/.test(text) ? undefined : own(values, parameter.type);
  if (value === undefined || !surelyValid(parameter.schema, value)) return undefined;
  filling.used.add(token);
  return value;
}

/** The one value of an enum that the question names; for an optional parameter only beside a word of its name. */
function enumWord(parameter: Parameter, filling: Filling): string | undefined {
  const values = own(parameter.schema, "enum");
  if (!Array.isArray(values)) return undefined;
  const { tokens } = filling.goal;
  const matches = values.slice(0, mostEnumValues).flatMap((value) => {
    if (typeof value !== "string" || value === "") return [];
    const words = value.toLowerCase().split(/\s+/);
    const at = tokens.findIndex((_, start) => wordsAt(tokens, start, words));
    return at < 0 ? [] : [{ value, at, length: words.length }];
  });
  const [match] = matches;
  if (match === undefined || matches.length > 1) return undefined;
  const near = tokens.slice(Math.max(0, match.at - 2), match.at + match.length + 2);
  const beside = near.some((token) => token.stems.some((each) => parameter.stems.includes(each)));
  if (!parameter.required && !beside) return undefined;
  for (const token of tokens.slice(match.at, match.at + match.length)) filling.used.add(token);
  return match.value;
}

/** Whether the tokens from `start` on say these words; a name of several words is one token. */
function wordsAt(tokens: readonly Token[], start: number, words: readonly string[]): boolean {
  const wanted = words.join(" ");
  if (tokens[start]?.text.toLowerCase() === wanted) return true;
  return words.every((word, index) => tokens[start + index]?.text.toLowerCase() === word);
}

/** A boolean is set when all words of its name are said, unless a word before them says no. */
function flag(parameter: Parameter, filling: Filling): boolean | undefined {
  if (parameter.type !== "boolean" || parameter.stems.length === 0) return undefined;
  const last = parameter.stems.at(-1) ?? "";
  const { tokens } = filling.goal;
  const lead =
    parameter.stems.length > 1 && parameter.stems[0] === "includ"
      ? parameter.stems.slice(1)
      : parameter.stems;
  const said = tokens.flatMap((token) => [...token.stems]);
  if (!lead.every((each) => said.includes(each))) {
    if (last === "sensitiv" && said.includes("insensitiv")) return false;
    return undefined;
  }
  const at = tokens.findIndex((token) => token.stems.includes(last));
  return !tokens
    .slice(Math.max(0, at - 3), at)
    .some((token) => /^(?:no|not|without|ignore|ignoring)$/i.test(token.text));
}

/** A value that a word of the parameter's name points at. */
function linked(parameter: Parameter, filling: Filling): Json | undefined {
  const { role, type } = parameter;
  if (type !== "string" || own(parameter.schema, "enum") !== undefined) return undefined;
  if (role === "program" || role === "glob" || (!parameter.required && role !== "path")) return undefined;
  const plain = role === "name" || role === "other";
  const usable = (token: Token) =>
    !filling.used.has(token) &&
    token.kind !== "glob" &&
    token.kind !== "number" &&
    (plain || (role === "path" ? readsAsPath(token) : token.kind === "quoted" || token.kind === "url"));
  return take(linkedToken(filling.goal, parameter.stems, usable), filling);
}

/** A list of objects is filled with the one object that the question describes. */
function objects(parameter: Parameter, filling: Filling, depth: number): Json | undefined {
  const items = own(parameter.schema, "items");
  if (depth >= deepestObject || !isObject(items)) return undefined;
  const inner = parametersOf(items as JsonObject);
  const filled = fillObject(inner, filling, depth + 1);
  return filled.missing.length === 0 && Object.keys(filled.arguments).length > 0
    ? [filled.arguments]
    : undefined;
}

/** The schema's own default, the workspace's root for a folder, or no items where a list is not what the tool is about. */
function fallback(parameter: Parameter, filling: Filling, depth: number): Json | undefined {
  const preset = own(parameter.schema, "default");
  if (preset !== undefined) return preset;
  if (parameter.role === "path" && parameter.type === "string" && filling.facts.takesFolder) {
    return free(filling).some((token) => token.kind === "path") ? undefined : ".";
  }
  if (depth === 0 || parameter.type !== "strings") return undefined;
  const about = [...parameter.stems, ...parameter.hint];
  const action = stemsOf(filling.facts.tool.definition.name)[0] ?? "";
  return about.includes(action) || filling.facts.nameStems.some((each) => parameter.stems.includes(each))
    ? undefined
    : [];
}
