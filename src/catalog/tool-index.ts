import type MiniSearch from "minisearch";
import { builtinServer, type CatalogTool } from "../types/tool.ts";
import { isObject } from "../util/own.ts";

/** Finds tools by words. */
export interface ToolIndex {
  /** Those that can be found: what servers list, without the host's own. */
  readonly tools: readonly CatalogTool[];
  /** The tools that fit, best first; ties by their names. */
  find(query: string): readonly CatalogTool[];
}

/** What is read of a description, and of how many parameters, so that a huge definition costs little. */
const describedLength = 2_000;
const parametersRead = 50;
const mostWords = 32;

const indexes = new WeakMap<readonly CatalogTool[], Promise<ToolIndex>>();

/** The index of a list: made once, since a list never changes. */
export function toolIndex(tools: readonly CatalogTool[]): Promise<ToolIndex> {
  const known = indexes.get(tools) ?? makeIndex(tools);
  indexes.set(tools, known);
  return known;
}

async function makeIndex(all: readonly CatalogTool[]): Promise<ToolIndex> {
  const tools = all.filter(({ listed, route }) => listed && route.server !== builtinServer);
  const { default: Search } = await import("minisearch");
  const search: MiniSearch = new Search({
    fields: ["name", "title", "server", "description", "parameters"],
    tokenize: wordsOf,
    processTerm: singular,
    searchOptions: {
      boost: { name: 4, title: 2, server: 1.5, parameters: 0.5 },
      prefix: (word) => word.length > 2,
      // Typing errors are in words, and not in numbers.
      fuzzy: (word) => (word.length > 4 && !/\d/.test(word) ? 0.2 : false),
    },
  });
  search.addAll(tools.map((tool, id) => ({ id, ...textOf(tool) })));
  return {
    tools,
    find(query) {
      const named = tools.filter((tool) => isNameOf(tool, query.trim()));
      const words = wordsOf(query).slice(0, mostWords).join(" ");
      const found = search
        .search(words)
        .map(({ id, score }) => ({ tool: tools[id as number], score }))
        .flatMap(({ tool, score }) => (tool === undefined || named.includes(tool) ? [] : [{ tool, score }]))
        .sort((a, b) => b.score - a.score || (a.tool.alias < b.tool.alias ? -1 : 1));
      return [...named, ...found.map(({ tool }) => tool)];
    },
  };
}

function isNameOf({ alias, route }: CatalogTool, text: string): boolean {
  return text === alias || text === route.tool || text === `${route.server}/${route.tool}`;
}

/** Words in lower case; `readFile` and `read_file` are two each. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Plurals are written in the same way by everybody; the rest is left to prefixes. */
function singular(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, "y").replace(/([^s])s$/, "$1") : word;
}

function textOf({ route, definition }: CatalogTool): Record<string, string> {
  const { name, title = "", description, annotations, inputSchema } = definition;
  const properties = isObject(inputSchema.properties) ? Object.entries(inputSchema.properties) : [];
  const parameters = properties.slice(0, parametersRead).map(([key, schema]) => {
    const said = isObject(schema) && typeof schema.description === "string" ? schema.description : "";
    return `${key} ${said.slice(0, 200)}`;
  });
  return {
    name,
    title: `${title} ${annotations.title ?? ""}`.slice(0, describedLength),
    server: route.server,
    description: description.slice(0, describedLength),
    parameters: parameters.join(" "),
  };
}
