import type { Json, JsonObject } from "../../types/json.ts";
import { isObject, own } from "../../util/own.ts";
import { surelyValid } from "./check.ts";
import { fillNumbers } from "./numbers.ts";
import { type Goal, isValue } from "./question.ts";
import type { Token } from "./tokens.ts";
import { type Parameter, parametersOf, type ToolFacts } from "./tool-facts.ts";
import {
  commandLine,
  folderWord,
  linkedToken,
  phraseText,
  readsAsPath,
  searchPhrase,
  spokenPhrase,
} from "./values.ts";
import { extensionOf, sameAction, stemsOf } from "./words.ts";

/** Arguments found in a question. */
export interface Filled {
  /** Valid against the tool's schema when `missing` is empty. */
  readonly arguments: JsonObject;
  /** Names of required parameters that the question says nothing about. */
  readonly missing: readonly string[];
  /** Share of the values in the question that became arguments, 0 to 1; 1 when it holds none. */
  readonly coverage: number;
}

/** What one filling works on. */
interface Filling {
  readonly facts: ToolFacts;
  readonly goal: Goal;
  readonly used: Set<Token>;
}

const deepestObject = 3;

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
      if ((parameter.role === "glob") === globs)
        keep(parameter, byRole(parameter, filling, parameters, depth));
    }
  }
  for (const parameter of open())
    if (parameter.required) keep(parameter, fallback(parameter, filling, depth));
  const missing = open()
    .filter((parameter) => parameter.required)
    .map((parameter) => parameter.name);
  // `fromEntries` and not assignment: a parameter may be called `__proto__`.
  return { arguments: Object.fromEntries(found), missing };
}

const free = (filling: Filling) => filling.goal.tokens.filter((token) => !filling.used.has(token));

function take(token: Token | undefined | null, filling: Filling): string | undefined {
  if (token === undefined || token === null) return undefined;
  filling.used.add(token);
  return token.text;
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
  const matches = values.flatMap((value) => {
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

function byRole(
  parameter: Parameter,
  filling: Filling,
  all: readonly Parameter[],
  depth: number,
): Json | undefined {
  const { type, role, required } = parameter;
  if (own(parameter.schema, "enum") !== undefined) return undefined;
  if (type === "strings")
    return role === "program" ? commandTail(filling, all) : required ? listed(parameter, filling) : undefined;
  if (type === "objects" && required) return objects(parameter, filling, depth);
  if (type !== "string") return undefined;
  switch (role) {
    case "path":
      return pathFor(parameter, filling, all);
    case "glob":
      return globFor(parameter, filling);
    case "url":
      return take(
        free(filling).find((token) => token.kind === "url"),
        filling,
      );
    case "program":
      return required ? programFor(filling, all) : undefined;
    case "query":
      return required ? queryFor(parameter, filling) : undefined;
    case "text":
      return required ? textFor(filling) : undefined;
    default:
      return required
        ? take(
            free(filling).find((token) => ["quoted", "name", "code"].includes(token.kind)),
            filling,
          )
        : undefined;
  }
}

function pathFor(parameter: Parameter, filling: Filling, all: readonly Parameter[]): string | undefined {
  const textWanted = all.some((each) => each.required && (each.role === "text" || each.role === "query"));
  const path = free(filling).find((token) => token.kind === "path" || (!textWanted && readsAsPath(token)));
  if (path !== undefined) return take(path, filling);
  const named = linkedToken(
    filling.goal,
    ["nam"],
    (token) => !filling.used.has(token) && token.kind !== "glob",
  );
  if (parameter.required && !filling.facts.takesFolder && filling.facts.nameStems.includes("directory")) {
    return take(named, filling);
  }
  return filling.facts.takesFolder || !parameter.required
    ? take(folderWord(filling.goal), filling)
    : undefined;
}

/** A glob as written, the names of a language's files, or a file name: `*.ts`, `Python files`, `files named x`. */
function globFor(parameter: Parameter, filling: Filling): string | undefined {
  const { goal, facts } = filling;
  const anywhere = (glob: string) =>
    glob.includes("/") || !/\*\*\//.test(facts.tool.definition.description) ? glob : `**/${glob}`;
  const glob = free(filling).find((token) => token.kind === "glob");
  if (glob !== undefined) return anywhere(take(glob, filling) ?? "");
  const language = goal.tokens.find(
    (token, at) =>
      !filling.used.has(token) &&
      extensionOf(token.text) !== undefined &&
      /^(?:files?|code|sources?)$/i.test(goal.tokens[at + 1]?.text ?? ""),
  );
  if (language !== undefined) return anywhere(`*.${extensionOf(take(language, filling) ?? "")}`);
  if (!parameter.required) return undefined;
  const named = linkedToken(goal, ["nam"], (token) => !filling.used.has(token));
  const name = named ?? free(filling).find((token) => ["path", "quoted", "code"].includes(token.kind));
  return name === undefined ? undefined : anywhere(take(name, filling) ?? "");
}

/** Notes in code that mean the same to most readers: asked for one of them, both are looked for. */
const markerFamilies: Readonly<Record<string, string>> = { TODO: "TODO|FIXME" };

function queryFor(parameter: Parameter, filling: Filling): string | undefined {
  const tokens = free(filling);
  for (const kind of ["quoted", "marker", "code", "name"] as const) {
    const values = tokens.filter((token) => token.kind === kind);
    if (values.length === 0) continue;
    if (values.length > 1 && !parameter.alternatives) return undefined;
    for (const token of values) filling.used.add(token);
    const texts = values.map((token) =>
      kind === "marker" && parameter.alternatives
        ? (own(markerFamilies, token.text) ?? token.text)
        : token.text,
    );
    return [...new Set(texts.flatMap((text) => (kind === "marker" ? text.split("|") : [text])))].join("|");
  }
  const phrase = searchPhrase(filling.goal).filter((token) => !filling.used.has(token));
  for (const token of phrase) filling.used.add(token);
  return phrase.length > 0 ? phraseText(phrase) : undefined;
}

/** Text to say or to write: quoted, or what stands behind the verb of a tool that only repeats it. */
function textFor(filling: Filling): string | undefined {
  const quoted = free(filling).filter((token) => token.kind === "quoted");
  if (quoted.length > 0) return quoted.length === 1 ? take(quoted[0], filling) : undefined;
  const { goal, facts } = filling;
  const repeats = goal.action !== null && sameAction(goal.action, "echo") && facts.actions.includes("echo");
  if (!facts.readOnly || !repeats) return undefined;
  const spoken = spokenPhrase(goal);
  for (const token of spoken) filling.used.add(token);
  return spoken.length > 0 ? phraseText(spoken) : undefined;
}

function programFor(filling: Filling, all: readonly Parameter[]): string | undefined {
  const command = commandLine(filling.goal);
  if (command === null) return undefined;
  for (const token of command.tokens) filling.used.add(token);
  const separate = all.some((each) => each.role === "program" && each.type === "strings");
  return separate ? command.words[0] : command.words.join(" ");
}

function commandTail(filling: Filling, all: readonly Parameter[]): Json | undefined {
  const tail = commandLine(filling.goal)?.words.slice(1) ?? [];
  const separate = all.some((each) => each.role === "program" && each.type === "string");
  return separate && tail.length > 0 ? [...tail] : undefined;
}

/** All paths, or all names, for a required list. */
function listed(parameter: Parameter, filling: Filling): Json | undefined {
  const path = parameter.role === "path";
  const linkedOne = path
    ? null
    : linkedToken(filling.goal, parameter.stems, (token) => !filling.used.has(token));
  const tokens = free(filling).filter((token) =>
    path
      ? readsAsPath(token)
      : parameter.role === "text"
        ? token.kind === "quoted"
        : ["quoted", "name", "code"].includes(token.kind),
  );
  const values =
    tokens.length > 0 ? tokens : linkedOne === null || linkedOne.kind === "path" ? [] : [linkedOne];
  for (const token of values) filling.used.add(token);
  return values.length > 0 ? values.map((token) => token.text) : undefined;
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
