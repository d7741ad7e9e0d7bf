import type { Json, JsonObject } from "../../types/json.ts";
import type { CatalogTool } from "../../types/tool.ts";
import { isObject, own } from "../../util/own.ts";
import { isAction, sameAction, stem, stemsOf } from "./words.ts";

/** What a string argument stands for, guessed from its name and description. */
type Role = "path" | "glob" | "url" | "program" | "query" | "text" | "name" | "other";

export interface Parameter {
  readonly name: string;
  readonly schema: JsonObject;
  readonly type: "string" | "number" | "boolean" | "strings" | "objects" | "object" | "other";
  readonly required: boolean;
  readonly role: Role;
  /** Stems of the name. */
  readonly stems: readonly string[];
  /** Stems of the description. */
  readonly hint: ReadonlySet<string>;
  /** The description names `|` as a separator of alternatives. */
  readonly alternatives: boolean;
}

/** What the rules know of a tool. */
export interface ToolFacts {
  readonly tool: CatalogTool;
  readonly nameStems: readonly string[];
  /** Verbs in the name, and the first word of the description. */
  readonly actions: readonly string[];
  /** The two places where a verb says what the tool does: first word of the name, first word of the description. */
  readonly leading: readonly string[];
  readonly readOnly: boolean;
  readonly deprecated: boolean;
  /** Whether it searches the text in files or the names of files; null for other tools. */
  readonly searches: "content" | "names" | null;
  /** Its path may be a folder, so that `.` is a sensible default. */
  readonly takesFolder: boolean;
  readonly parameters: readonly Parameter[];
}

const mostParameters = 64;

/** Reads a tool's definition. Everything in it is the server's word and may have any shape. */
export function factsOf(tool: CatalogTool): ToolFacts {
  const { name, description, inputSchema, annotations } = tool.definition;
  const nameStems = stemsOf(name);
  const told = stemsOf(description.slice(0, 2_000));
  const actions = [...new Set([...nameStems.filter(isAction), ...told.slice(0, 1)])];
  const readOnly = annotations.readOnlyHint === true && annotations.destructiveHint !== true;
  const plain = parametersOf(inputSchema);
  const searching = actions.some((action) => sameAction(action, "search"));
  const words = new Set(told);
  const hasPath = plain.some((parameter) => parameter.role === "path");
  const searches = searching && hasPath ? searchedBy(words) : null;
  const parameters = plain.map((each) =>
    searches === "names" && each.role === "query" ? { ...each, role: "glob" as const } : each,
  );
  return {
    tool,
    nameStems,
    actions,
    leading: [...nameStems.slice(0, 1), ...told.slice(0, 1)],
    readOnly,
    deprecated: /\bdeprecated\b/i.test(description),
    searches,
    takesFolder:
      readOnly &&
      (searching || ["directory", "folder", "tree", "dir"].some((word) => nameStems.includes(stem(word)))),
    parameters,
  };
}

function searchedBy(words: ReadonlySet<string>): "content" | "names" {
  return ["content", "text", "line", "code", "comment"].some((word) => words.has(stem(word)))
    ? "content"
    : "names";
}

/** The parameters of an object schema, the required ones first. */
export function parametersOf(schema: JsonObject): Parameter[] {
  const properties = own(schema, "properties");
  if (!isObject(properties)) return [];
  const listed = own(schema, "required");
  const required = new Set<Json>(Array.isArray(listed) ? listed : []);
  // Validators disagree about a parameter called `__proto__`: it is never filled.
  const found = Object.keys(properties)
    .filter((name) => name !== "__proto__")
    .slice(0, mostParameters)
    .map((name) => parameterOf(name, properties[name] as Json, required.has(name)));
  return [...found.filter((each) => each.required), ...found.filter((each) => !each.required)];
}

function parameterOf(name: string, given: Json, required: boolean): Parameter {
  const schema = isObject(given) ? (narrowed(given as JsonObject) ?? {}) : {};
  const description =
    own(schema, "description") ?? (isObject(given) ? own(given as JsonObject, "description") : "");
  const text = typeof description === "string" ? description.slice(0, 1_000) : "";
  const stems = stemsOf(name);
  const hint = new Set(stemsOf(text));
  return {
    name,
    schema,
    type: typeOf(schema),
    required,
    role: roleOf(stems, hint, schema),
    stems,
    hint,
    alternatives: text.includes("|"),
  };
}

/** The branch that is not null of `anyOf: [X, null]`, the way many servers write an optional value. */
function narrowed(schema: JsonObject): JsonObject | undefined {
  const branches = own(schema, "anyOf");
  if (!Array.isArray(branches) || own(schema, "type") !== undefined) return schema;
  return branches.find((branch): branch is JsonObject => isObject(branch) && own(branch, "type") !== "null");
}

function typeOf(schema: JsonObject): Parameter["type"] {
  const declared = own(schema, "type");
  const type = Array.isArray(declared) ? declared.find((each) => each !== "null") : declared;
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "object") return type;
  if (type !== "array") return "other";
  const items = own(schema, "items");
  const inner = isObject(items) ? own(items, "type") : undefined;
  return inner === "string" ? "strings" : inner === "object" ? "objects" : "other";
}

const roleWords: readonly (readonly [Role, readonly string[]])[] = [
  ["url", ["url", "uri", "link"]],
  ["glob", ["glob"]],
  ["program", ["program", "command", "cmd", "executable", "args", "arguments", "argv"]],
  ["path", ["path", "file", "filename", "directory", "dir", "folder", "cwd", "source", "destination"]],
  ["query", ["pattern", "query", "search", "term", "keyword", "topic", "regex"]],
  ["text", ["message", "content", "text", "body", "prompt", "note", "input"]],
  ["name", ["name", "title", "id", "label", "from", "to", "type"]],
];

function roleOf(stems: readonly string[], hint: ReadonlySet<string>, schema: JsonObject): Role {
  if (own(schema, "format") === "uri") return "url";
  const found = roleWords.find(([, words]) => words.some((word) => stems.includes(stem(word))));
  if (found?.[0] === "query" && hint.has("glob")) return "glob";
  return found?.[0] ?? "other";
}
