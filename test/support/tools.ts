import type { JsonObject } from "../../src/types/json.ts";
import type { CallFacts } from "../../src/types/policy.ts";
import type { CatalogTool, ToolAnnotations, ToolCall, ToolSnapshot } from "../../src/types/tool.ts";
import { sha256Hex } from "../../src/util/hash.ts";
import { stableJson } from "../../src/util/stable-json.ts";

export interface ToolParts {
  readonly server?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly trusted?: boolean;
  readonly listed?: boolean;
  readonly configHash?: string;
}

/** A tool of a catalog, hashed like a real one. */
export function makeTool(parts: ToolParts = {}): CatalogTool {
  const server = parts.server ?? "workspace";
  const name = parts.name ?? "run_command";
  const definition = {
    name,
    description: parts.description ?? "",
    inputSchema: parts.inputSchema ?? { type: "object" },
    annotations: parts.annotations ?? {},
    ...(parts.title === undefined ? {} : { title: parts.title }),
  };
  return {
    alias: `${server}__${name}`,
    route: { server, tool: name },
    definition,
    definitionHash: sha256Hex(stableJson({ ...definition, annotations: { ...definition.annotations } })),
    configHash: parts.configHash ?? "config-1",
    trusted: parts.trusted ?? false,
    listed: parts.listed ?? true,
  };
}

/** What the policy looks at, of a call that the model proposes to a person. */
export function makeFacts(
  tool: CatalogTool,
  values: JsonObject = {},
  parts: Partial<CallFacts> = {},
): CallFacts {
  return {
    route: tool.route,
    arguments: values,
    trusted: tool.trusted,
    annotations: tool.definition.annotations,
    folder: null,
    principal: "ann",
    mode: "interactive",
    reads: { untrusted: false, private: false },
    origin: "model",
    ...parts,
  };
}

let calls = 0;

export function makeCall(
  tool: CatalogTool,
  values: JsonObject = {},
  warnings: readonly string[] = [],
): ToolCall {
  calls++;
  const argumentsJson = JSON.stringify(values);
  return { id: `call_${calls}`, tool, arguments: values, argumentsJson, warnings };
}

export function makeSnapshot(tools: readonly CatalogTool[]): ToolSnapshot {
  return { version: 1, tools, byAlias: new Map(tools.map((tool) => [tool.alias, tool])), quarantined: [] };
}
