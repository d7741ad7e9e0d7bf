import {
  builtinServer,
  callToolName,
  type ServerToolList,
  searchToolAlias,
  searchToolName,
} from "../types/tool.ts";

/** Most tools that one search describes. */
export const mostFound = 20;

/** The host's own tools for tools that a model is not offered: they are in its list only where there are such tools. */
export const searchTools: ServerToolList = {
  server: builtinServer,
  trusted: true,
  configHash: "builtin",
  quarantined: [],
  tools: [
    {
      name: searchToolName,
      title: "Find more tools",
      description:
        "There are more tools than this list holds. Finds those that fit some words, and returns their names, " +
        "descriptions and input schemas. Search before you say that something cannot be done.",
      inputSchema: {
        type: "object",
        properties: {
          query: {
            type: "string",
            minLength: 1,
            maxLength: 500,
            description: "Words for what the tool does or works on, or its name.",
          },
          limit: {
            type: "integer",
            minimum: 1,
            maximum: mostFound,
            description: "Most tools to return. Default: 5.",
          },
        },
        required: ["query"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: callToolName,
      title: "Call a found tool",
      description:
        `Calls a tool that ${searchToolAlias} found. It is the same as a call of that tool itself: its own schema, ` +
        "permissions and result.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, description: "The tool's name, as it was found." },
          arguments: {
            type: "object",
            additionalProperties: true,
            description: "The tool's arguments, by its input schema.",
          },
        },
        required: ["name"],
        additionalProperties: false,
      },
      // Never sent as it is: what the called tool says of itself counts.
      annotations: {},
    },
  ],
};
