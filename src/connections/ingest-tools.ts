import type { JsonObject } from "../types/json.ts";
import type { ServerTool, ToolAnnotations } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { isDeeperThan, maxDepth } from "./depth.ts";
import { jsonSize } from "./json-size.ts";
import { summarise } from "./summarise.ts";

/** A tool that can be used, or why it cannot. */
export type IngestedTool =
  | {
      readonly type: "tool";
      readonly tool: ServerTool;
      /** About its bytes as JSON. */
      readonly size: number;
    }
  | { readonly type: "quarantined"; readonly name: string; readonly reason: string };

const longestName = 1_000;
const longestDescription = 64 * 1024;
/** No model takes more than a part of that, and a host keeps every definition for as long as it lives. */
const largestDefinition = 512 * 1024;

/** Reads one member of a `tools/list` result; everything that is wrong but harmless is repaired. */
export function ingestTool(raw: unknown, position: number): IngestedTool {
  const unnamed = `(tool ${position + 1}, without a name)`;
  if (!isObject(raw)) return { type: "quarantined", name: unnamed, reason: "The definition is no object." };
  const { name } = raw;
  if (typeof name !== "string" || name === "") {
    return { type: "quarantined", name: unnamed, reason: "The definition has no name." };
  }
  if (name.length > longestName) {
    const reason = `The name has ${name.length} characters; at most ${longestName} are read.`;
    return { type: "quarantined", name: name.slice(0, 100), reason };
  }
  const size = jsonSize(raw, largestDefinition);
  if (size > largestDefinition) {
    return { type: "quarantined", name, reason: `Its definition is larger than ${largestDefinition} bytes.` };
  }
  for (const [member, longest] of [
    ["title", longestName],
    ["description", longestDescription],
  ] as const) {
    const text = raw[member];
    if (typeof text === "string" && text.length > longest) {
      const reason = `Its ${member} has ${text.length} characters; at most ${longest} are read.`;
      return { type: "quarantined", name, reason };
    }
  }
  const inputSchema = readInputSchema(raw.inputSchema);
  if (typeof inputSchema === "string") return { type: "quarantined", name, reason: inputSchema };
  if (isDeeperThan(raw.outputSchema, maxDepth)) {
    return { type: "quarantined", name, reason: `Its outputSchema is nested deeper than ${maxDepth}.` };
  }
  return {
    type: "tool",
    size,
    tool: {
      name,
      ...(typeof raw.title === "string" ? { title: raw.title } : {}),
      description: typeof raw.description === "string" ? raw.description : "",
      inputSchema,
      ...(isObject(raw.outputSchema) ? { outputSchema: raw.outputSchema as JsonObject } : {}),
      annotations: readAnnotations(raw.annotations),
      ...readExecution(raw.execution),
    },
  };
}

/** The schema as an object schema, or the reason why it cannot be one. */
function readInputSchema(schema: unknown): JsonObject | string {
  if (schema === undefined || schema === null) return { type: "object" };
  if (!isObject(schema)) return "Its inputSchema is no object.";
  if (isDeeperThan(schema, maxDepth)) return `Its inputSchema is nested deeper than ${maxDepth}.`;
  const { type } = schema;
  const isObjectType =
    type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObjectType) return `Its inputSchema describes ${summarise(type, 100)} instead of an object.`;
  const repaired: Record<string, unknown> = { type: "object", ...schema };
  repaired.type = "object";
  if (repaired.properties !== undefined && !isObject(repaired.properties)) delete repaired.properties;
  const { required } = repaired;
  if (Array.isArray(required)) {
    if (required.some((name) => typeof name !== "string")) {
      repaired.required = required.filter((name) => typeof name === "string");
    }
  } else delete repaired.required;
  return repaired as JsonObject;
}

/** Only what says something: `forbidden` is the default (MCP 2025-11-25, tasks). */
function readExecution(execution: unknown): Pick<ServerTool, "execution"> {
  const taskSupport = isObject(execution) ? execution.taskSupport : undefined;
  return taskSupport === "required" || taskSupport === "optional" ? { execution: { taskSupport } } : {};
}

/** Hints count only when they are real booleans: a text "false" is no promise. */
function readAnnotations(annotations: unknown): ToolAnnotations {
  if (!isObject(annotations)) return {};
  const kept: Record<string, string | boolean> = {};
  if (typeof annotations.title === "string") kept.title = annotations.title;
  for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
    const value = annotations[hint];
    if (typeof value === "boolean") kept[hint] = value;
  }
  return kept;
}
