import type { CatalogTool } from "../../types/tool.ts";

/** Characters of JSON a token; the tokenizers of the models differ, and none is public. */
const charactersPerToken = 3.5;

/** About how many tokens a tool's definition takes of each request: its name, description and schema. */
export function definitionTokens({ alias, definition }: CatalogTool): number {
  const { description, inputSchema } = definition;
  const sent = JSON.stringify({ name: alias, description, input_schema: inputSchema });
  return Math.ceil(sent.length / charactersPerToken);
}
