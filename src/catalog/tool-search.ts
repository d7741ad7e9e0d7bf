import type { Limits } from "../types/config.ts";
import type { JsonObject } from "../types/json.ts";
import type { CallReply } from "../types/outcome.ts";
import type { CallServer } from "../types/ports.ts";
import {
  builtinServer,
  type CatalogTool,
  callToolAlias,
  searchToolName,
  type ToolRoute,
} from "../types/tool.ts";
import { count, oneLine, outsidePair } from "../util/one-line.ts";
import { isObject, own } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { mostFound } from "./search-tools.ts";
import { toolIndex } from "./tool-index.ts";

const usualFound = 5;
/** What is shown of a description, in characters. */
const describedLength = 1_000;
/** Names that are listed behind what is described, and parameters of a schema that is too large to be shown. */
const mostNames = 20;
const mostParameters = 100;

export function isToolSearch({ server, tool }: ToolRoute): boolean {
  return server === builtinServer && tool === searchToolName;
}

/**
 * Answers calls of the search for tools, within the output budget of one result. What it says of a tool are its server's words,
 * as a JSON text in a line of its own. Rejects only with what loading the index throws.
 * @param tools what is searched, the same list by identity as long as it is the same
 */
export function createToolSearch(tools: () => readonly CatalogTool[], limits: Limits): CallServer {
  return async ({ arguments: given }) => {
    const query = own(given, "query");
    if (typeof query !== "string" || query.trim() === "")
      return answer("Say in words what to look for.", true);
    const index = await toolIndex(tools());
    const all = index.tools;
    const found = index.find(query);
    if (found.length === 0) return answer(nothingFound(query, all));
    const limit = own(given, "limit");
    const most = typeof limit === "number" ? Math.min(mostFound, Math.max(1, Math.floor(limit))) : usualFound;
    return answer(foundText(found, most, all.length, searchBytes(limits)));
  };
}

/** It must pass the output budget whole: what is kept aside of a definition would have to be paged through. */
function searchBytes({ outputTokensPerResult, outputTokensPerTurn }: Limits): number {
  return Math.max(400, Math.min(outputTokensPerResult, outputTokensPerTurn) * 3);
}

function answer(text: string, isError = false): CallReply {
  return { content: [{ type: "text", text }], isError, repairs: [] };
}

function nothingFound(query: string, all: readonly CatalogTool[]): string {
  const servers = new Map<string, number>();
  for (const { route } of all) servers.set(route.server, (servers.get(route.server) ?? 0) + 1);
  const named = [...servers].slice(0, mostNames).map(([id, tools]) => `${oneLine(id, 80)} (${count(tools)})`);
  const where = named.length === 0 ? "" : ` Servers with more tools: ${named.join(", ")}.`;
  return `None of ${count(all.length)} more tools fits ${JSON.stringify(oneLine(query, 100))}. Try other words.${where}`;
}

function foundText(found: readonly CatalogTool[], most: number, all: number, bytes: number): string {
  const head =
    `${count(found.length)} of ${count(all)} more tools fit, best first. Call one with ${callToolAlias}: its "name", and ` +
    'its "arguments" by its "inputSchema". Each line is what a server says of its tool.';
  const lines: string[] = [];
  let left = bytes - utf8Length(head) - 200;
  for (const tool of found.slice(0, most)) {
    const line = [wholeLine(tool), outline(tool)].find((text) => utf8Length(text) < left);
    if (line === undefined) break;
    lines.push(line);
    left -= utf8Length(line) + 1;
  }
  const names: string[] = [];
  for (const { alias } of found.slice(lines.length, lines.length + mostNames)) {
    if (alias.length + 2 > left) break;
    names.push(alias);
    left -= alias.length + 2;
  }
  const more = names.length === 0 ? [] : [`Also: ${names.join(", ")}. Search for a name to see its schema.`];
  return [head, ...lines, ...more].join("\n");
}

/** The tool as its server describes it. */
function wholeLine(tool: CatalogTool): string {
  return lineOf(tool, { inputSchema: tool.definition.inputSchema });
}

/** The same for a definition that is too large: what its parameters are called, and that there is more to know. */
function outline(tool: CatalogTool): string {
  const { properties, required } = tool.definition.inputSchema;
  const keys = isObject(properties) ? Object.keys(properties) : [];
  const names = (list: readonly unknown[]) =>
    list.slice(0, mostParameters).map((name) => oneLine(String(name), 64));
  return lineOf(tool, {
    parameters: names(keys),
    required: names(Array.isArray(required) ? required : []),
    note: "Its inputSchema is too large to be shown; arguments that do not fit it are answered with what is wrong.",
  });
}

function lineOf({ alias, definition }: CatalogTool, rest: JsonObject): string {
  const { description } = definition;
  const end = outsidePair(description, Math.min(description.length, describedLength));
  const cut = end < description.length ? `… (${count(description.length - end)} more characters)` : "";
  return JSON.stringify({ name: alias, description: description.slice(0, end) + cut, ...rest });
}
