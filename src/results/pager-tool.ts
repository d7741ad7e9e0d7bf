import { builtinServer, type ServerToolList } from "../types/tool.ts";

export const pagerToolName = "read_output";
/** The name under which the model sees the tool. */
export const pagerAlias: string = `${builtinServer}__${pagerToolName}`;

/** The host's own tools: the one that reads kept outputs. */
export const pagerTools: ServerToolList = {
  server: builtinServer,
  trusted: true,
  configHash: "builtin",
  quarantined: [],
  tools: [
    {
      name: pagerToolName,
      title: "Read a kept output",
      description:
        "Reads a tool output that was too long to be returned whole. Its id is in the note that came with the " +
        "shortened output and is valid in this run only. Without `search` it returns lines from `offset` on, " +
        "unchanged, and the offset of the next ones. With `search` it returns the lines that contain the text, " +
        "with their line numbers. Lines are numbered from 1; a very long line counts as several.",
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", description: "Id of the kept output." },
          offset: {
            type: "integer",
            minimum: 1,
            description: "First line to read, or to search from. Default: 1.",
          },
          limit: {
            type: "integer",
            minimum: 1,
            description: "Most lines, or most matches, to return. Default: as many as fit.",
          },
          search: {
            type: "string",
            minLength: 1,
            maxLength: 1000,
            description: "Plain text to look for; no pattern language.",
          },
          case_sensitive: { type: "boolean", description: "For `search`. Default: false." },
          context: {
            type: "integer",
            minimum: 0,
            maximum: 20,
            description: "Lines to show before and after each match. Default: 0.",
          },
        },
        required: ["id"],
        additionalProperties: false,
      },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
  ],
};
