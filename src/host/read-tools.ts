import { catalogTool } from "../catalog/definition.ts";
import type { JsonObject } from "../types/json.ts";
import type { CatalogTool, ReadMethod, ServerTool, ServerToolList } from "../types/tool.ts";

const text: JsonObject = { type: "string" };

function readTool(name: ReadMethod, description: string, inputSchema: JsonObject): ServerTool {
  return { name, description, inputSchema, annotations: { readOnlyHint: true, openWorldHint: true } };
}

/** Reads in the form of tools, so that rules, limits and records hold for them as they do for calls. */
const readTools: Readonly<Record<ReadMethod, ServerTool>> = {
  "resources/read": readTool("resources/read", "Reads a resource of the server.", {
    type: "object",
    properties: { uri: text },
    required: ["uri"],
  }),
  "prompts/get": readTool("prompts/get", "Has a prompt of the server filled in.", {
    type: "object",
    properties: { name: text, arguments: { type: "object", additionalProperties: text } },
    required: ["name"],
  }),
};

/** A read of this server as consent, execution and audit see it: under the name of its method. */
export function readToolOf(list: ServerToolList, method: ReadMethod): CatalogTool {
  return Object.freeze({ ...catalogTool(list, readTools[method]), method });
}
