import type { JsonObject } from "../../src/types/json.ts";
import type { ServerTool, ToolAnnotations } from "../../src/types/tool.ts";

/** A tool definition for tests; every parameter is a schema, those named in `required` are required. */
export function tool(
  name: string,
  description: string,
  properties: Record<string, JsonObject>,
  required: readonly string[] = [],
  annotations: ToolAnnotations = { readOnlyHint: true },
): ServerTool {
  return { name, description, inputSchema: { type: "object", properties, required }, annotations };
}

export const text: JsonObject = { type: "string" };

export const searchCode: ServerTool = tool(
  "search_code",
  "Searches the content of files and returns lines as `path:line: text`.",
  { pattern: { type: "string", description: "Text; `|` separates alternatives" }, path: text },
  ["pattern"],
);

export const searchFiles: ServerTool = tool(
  "search_files",
  "Searches for files matching a glob pattern and returns their paths.",
  { path: text, pattern: text },
  ["path", "pattern"],
);

export const readFile: ServerTool = tool("read_file", "Reads a file.", { path: text }, ["path"]);

export const deleteFile: ServerTool = tool("delete_file", "Deletes a file.", { path: text }, ["path"], {
  readOnlyHint: false,
  destructiveHint: true,
});

export const sum: ServerTool = tool(
  "get-sum",
  "Returns the sum of two numbers",
  { a: { type: "number" }, b: { type: "number" } },
  ["a", "b"],
);

export const echo: ServerTool = tool("echo", "Echoes back the input string", { message: text }, ["message"]);

/** The host's own tool that pages through long outputs. */
export const pager: ServerTool = tool(
  "read_output",
  "Reads a tool output that was too long to be returned whole.",
  { id: text, offset: { type: "integer" } },
  ["id"],
);
