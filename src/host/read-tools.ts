import { catalogTool } from "../catalog/definition.ts";
import type { JsonObject } from "../types/json.ts";
import type { CatalogTool, ReadMethod, ServerTool, ServerToolList } from "../types/tool.ts";

const text: JsonObject = { type: "string" };

function readTool(name: ReadMethod, description: string, inputSchema: JsonObject): ServerTool {
  // Whether it reaches outside is for the server to say, and for a read no server does.
  const annotations = { readOnlyHint: true };
  return { name, description, inputSchema, annotations, method: name };
}

/** Reads in the form of tools, so that rules, limits and records hold for them as they do for calls. */
export const readTools: Readonly<Record<ReadMethod, ServerTool>> = {
  "resources/list": readTool(
    "resources/list",
    "Lists the resources that this server offers to read, by URI.",
    {
      type: "object",
      properties: {},
      additionalProperties: false,
    },
  ),
  "resources/read": readTool(
    "resources/read",
    "Reads a resource of this server: a URI that it listed, or one made from a template of it.",
    { type: "object", properties: { uri: text }, required: ["uri"], additionalProperties: false },
  ),
  "prompts/get": readTool("prompts/get", "Has a prompt of the server filled in.", {
    type: "object",
    properties: { name: text, arguments: { type: "object", additionalProperties: text } },
    required: ["name"],
  }),
};

/** A read of this server as consent, execution and audit see it: under the name of its method. */
export function readToolOf(list: ServerToolList, method: ReadMethod): CatalogTool {
  return catalogTool(list, readTools[method]);
}
