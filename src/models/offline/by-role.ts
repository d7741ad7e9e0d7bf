import type { Json } from "../../types/json.ts";
import { own } from "../../util/own.ts";
import type { Goal } from "./question.ts";
import type { Token, TokenKind } from "./tokens.ts";
import type { Parameter, ToolFacts } from "./tool-facts.ts";
import {
  commandLine,
  folderWord,
  linkedToken,
  phraseText,
  readsAsPath,
  searchPhrase,
  spokenPhrase,
} from "./values.ts";
import { extensionOf, markerFamily, sameAction } from "./words.ts";

/** What one filling works on. */
export interface Filling {
  readonly facts: ToolFacts;
  readonly goal: Goal;
  /** Tokens that became arguments: none is used twice. */
  readonly used: Set<Token>;
}

/** Tokens that did not become an argument yet. */
export function free(filling: Filling): Token[] {
  return filling.goal.tokens.filter((token) => !filling.used.has(token));
}

/** The token's text, once. */
export function take(token: Token | undefined | null, filling: Filling): string | undefined {
  if (token === undefined || token === null) return undefined;
  filling.used.add(token);
  return token.text;
}

/** The value that what the parameter stands for asks for: a path for a path, quoted text for text. */
export function byRole(parameter: Parameter, filling: Filling, all: readonly Parameter[]): Json | undefined {
  const { type, role, required } = parameter;
  if (own(parameter.schema, "enum") !== undefined) return undefined;
  if (type === "strings")
    return role === "program" ? commandTail(filling, all) : required ? listed(parameter, filling) : undefined;
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
    case "name":
      return required ? takeFirst(["name", "code", "quoted"], filling) : undefined;
    default:
      return required ? takeFirst(["quoted", "name", "code"], filling) : undefined;
  }
}

/** The first free token of the first kind that there is. */
function takeFirst(kinds: readonly TokenKind[], filling: Filling): string | undefined {
  const tokens = free(filling);
  const kind = kinds.find((each) => tokens.some((token) => token.kind === each));
  return take(
    tokens.find((token) => token.kind === kind),
    filling,
  );
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

function queryFor(parameter: Parameter, filling: Filling): string | undefined {
  const tokens = free(filling);
  for (const kind of ["quoted", "marker", "code", "name"] as const) {
    const values = tokens.filter((token) => token.kind === kind);
    if (values.length === 0) continue;
    if (values.length > 1 && !parameter.alternatives) return undefined;
    for (const token of values) filling.used.add(token);
    const texts = values.map((token) =>
      kind === "marker" && parameter.alternatives ? markerFamily(token.text) : token.text,
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
