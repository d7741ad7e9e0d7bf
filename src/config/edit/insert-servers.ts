import type { Edit, FormattingOptions, JSONPath, Node, ParseError } from "jsonc-parser";
import { HostError } from "../../errors.ts";
import type { WrittenServer } from "../../types/found-servers.ts";
import type { Json } from "../../types/json.ts";
import { compareCodeUnits, stableJson } from "../../util/stable-json.ts";
import { visibleLine } from "../../util/visible.ts";
import { nodeValue } from "./node-value.ts";

type Jsonc = typeof import("jsonc-parser");

export interface InsertedServers {
  readonly text: string;
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  /** Those that stood there already, word for word. */
  readonly unchanged: readonly string[];
}

export interface InsertOptions {
  /** Replace servers of the same id that are different. */
  readonly force: boolean;
  /** For errors. */
  readonly file: string;
}

/**
 * The text of a config file with servers put into its `mcpServers`; everything else stays as it is, comments too.
 * @throws HostError `config_invalid`: the text is not valid, or another server has one of the ids.
 */
export async function insertServers(
  text: string,
  servers: ReadonlyMap<string, WrittenServer>,
  { force, file }: InsertOptions,
): Promise<InsertedServers> {
  const jsonc: Jsonc = await import("jsonc-parser");
  const present = presentServers(jsonc, text, file);
  const ids = [...servers.keys()];
  const unchanged = ids.filter((id) => isSame(present.get(id), servers.get(id)));
  const replaced = ids.filter((id) => present.has(id) && !unchanged.includes(id));
  const added = ids.filter((id) => !present.has(id));
  if (replaced.length > 0 && !force) throw taken(file, replaced);
  let result = text;
  for (const id of [...replaced, ...added]) result = put(jsonc, result, id, servers.get(id));
  return { text: result, added, replaced, unchanged };
}

function taken(file: string, ids: readonly string[]): HostError {
  const list = [...ids].sort(compareCodeUnits).map((id) => `"${visibleLine(id)}"`);
  return new HostError(
    "config_invalid",
    `${visibleLine(file)} has other servers with the ids ${list.join(", ")}. Nothing was written; --force replaces them.`,
  );
}

function invalid(file: string, problem: string): HostError {
  return new HostError("config_invalid", `${visibleLine(file)} ${problem}. Nothing was written.`);
}

function presentServers(jsonc: Jsonc, text: string, file: string): ReadonlyMap<string, Node> {
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  if (errors[0] !== undefined) {
    const line = text.slice(0, errors[0].offset).split("\n").length;
    throw invalid(`${file}:${line}`, "is not valid JSON");
  }
  if (root?.type !== "object") throw invalid(file, "does not hold an object");
  const servers = propertiesOf(root).filter(([key]) => key === "mcpServers");
  const [one] = servers;
  if (servers.length > 1) throw invalid(file, "has mcpServers twice; keep one");
  if (one === undefined) return new Map();
  if (one[1].type !== "object") throw invalid(file, "has an mcpServers that is not an object");
  return new Map(propertiesOf(one[1]));
}

function propertiesOf(node: Node): [string, Node][] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }): [string, Node][] =>
    key === undefined || value === undefined ? [] : [[String(key.value), value]],
  );
}

function isSame(node: Node | undefined, server: WrittenServer | undefined): boolean {
  if (node === undefined) return false;
  return stableJson(nodeValue(node) as Json) === stableJson(server as unknown as Json);
}

function put(jsonc: Jsonc, text: string, id: string, server: WrittenServer | undefined): string {
  const formattingOptions = formattingOf(text);
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const servers = root === undefined ? undefined : jsonc.findNodeAtLocation(root, ["mcpServers"]);
  const path: JSONPath = ["mcpServers", id];
  const old = servers === undefined ? undefined : jsonc.findNodeAtLocation(servers, [id]);
  if (servers === undefined && root !== undefined) {
    return jsonc.applyEdits(
      text,
      appendMember(jsonc, text, root, "mcpServers", { [id]: server }, formattingOptions),
    );
  }
  if (servers === undefined || old !== undefined) {
    return jsonc.applyEdits(text, jsonc.modify(text, path, server, { formattingOptions }));
  }
  return jsonc.applyEdits(text, appendMember(jsonc, text, servers, id, server, formattingOptions));
}

/** The parser's own insertion reformats the member in front and moves its comment; this one only adds. */
function appendMember(
  jsonc: Jsonc,
  text: string,
  object: Node,
  key: string,
  value: unknown,
  formatting: FormattingOptions,
): Edit[] {
  const { eol = "\n", tabSize = 2, insertSpaces = true } = formatting;
  const unit = insertSpaces ? " ".repeat(tabSize) : "\t";
  const outer = indentAt(text, object.offset);
  const inner = outer + unit;
  const lines = JSON.stringify(value, null, unit).split("\n").join(`${eol}${inner}`);
  const member = `${inner}${JSON.stringify(key)}: ${lines}${eol}`;
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const lineStart = text.lastIndexOf("\n", close - 1) + 1;
  const closeAlone = text.slice(lineStart, close).trim() === "" && lineStart > object.offset;
  const at = closeAlone ? lineStart : close;
  const before = closeAlone ? "" : eol;
  const after = closeAlone ? "" : outer;
  const edits: Edit[] = [{ offset: at, length: 0, content: `${before}${member}${after}` }];
  if (last === undefined) return edits;
  const end = last.offset + last.length;
  return hasComma(jsonc, text.slice(end, close))
    ? edits
    : [{ offset: end, length: 0, content: "," }, ...edits];
}

/** Whether a comma follows the last member: one in a comment is none. The token kind is the parser's. */
function hasComma(jsonc: Jsonc, rest: string): boolean {
  return jsonc.createScanner(rest, true).scan() === 5;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** The file's own way: its line ends, and how deep its first indented line is. */
function formattingOf(text: string): FormattingOptions {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 4 : Math.min(indent.length, 8),
  };
}
