import type { JsonObject } from "./json.ts";

/** The server id of the host's own tools; no configuration may give it to another server. */
export const builtinServer = "drawbridge";

/** The built-in tool that finds tools a model was not offered. */
export const searchToolName = "search_tools";
/** The built-in tool that a found tool is called through: what is decided, run and recorded is the found tool's call. */
export const callToolName = "call_tool";
/** The names under which models see the two. */
export const searchToolAlias: string = `${builtinServer}__${searchToolName}`;
export const callToolAlias: string = `${builtinServer}__${callToolName}`;

/** Hints of a server about a tool (MCP `ToolAnnotations`). Untrusted unless the operator trusts the server. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Requests of the protocol beside `tools/call`; each goes through the stages of a call. */
export type ReadMethod = "resources/list" | "resources/read" | "prompts/get";

/** A tool as its server listed it, sanitised. `name` is the raw name and may hold any characters. */
export interface ServerTool {
  readonly name: string;
  readonly title?: string;
  /** Empty when the server gave none. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolAnnotations;
  /** Whether its calls can, or must, become tasks (MCP 2025-11-25, `ToolExecution`). */
  readonly execution?: { readonly taskSupport: "required" | "optional" };
  /** Of the host's making: the request that it stands for. A tool that a server listed has none. */
  readonly method?: ReadMethod;
}

/** The identity of a tool everywhere but on the model's side: policy, grants, audit and routing use this pair. */
export interface ToolRoute {
  readonly server: string;
  readonly tool: string;
}

/** A tool kept from the model, with the reason a person can act on. */
export interface QuarantinedTool extends ToolRoute {
  readonly reason: string;
}

/** What is odd about a tool, or about its server where no tool is named, without keeping it from the model. */
export interface CatalogWarning {
  readonly server: string;
  readonly tool?: string;
  /** In a sentence, not escaped. */
  readonly reason: string;
}

/** One server's list at one moment. */
export interface ServerToolList {
  readonly server: string;
  /** Whether the operator trusts this server's annotations. */
  readonly trusted: boolean;
  /** Identity of the server's configuration: grants are bound to it. */
  readonly configHash: string;
  readonly tools: readonly ServerTool[];
  readonly quarantined: readonly QuarantinedTool[];
}

/** A tool as the model sees it and as its calls are routed. */
export interface CatalogTool {
  /** The name the model sees: `[A-Za-z0-9_-]{1,64}`, unique in a snapshot, never parsed back. */
  readonly alias: string;
  readonly route: ToolRoute;
  readonly definition: ServerTool;
  /** sha-256 of the whole definition with sorted keys, hex. */
  readonly definitionHash: string;
  readonly configHash: string;
  readonly trusted: boolean;
  /** False once its server no longer lists it: it stays in the list, and calls to it are answered with an error. */
  readonly listed: boolean;
  /** What a person who is asked about it should know of its name and its description, in sentences. */
  readonly warnings?: readonly string[];
}

/** The frozen tool list of a turn: what the model saw is what its calls are routed by. */
export interface ToolSnapshot {
  /** Grows by one each time the list changes. */
  readonly version: number;
  readonly tools: readonly CatalogTool[];
  /** Every tool that a call may name: those of the list, and the host's own that find and call others. */
  readonly byAlias: ReadonlyMap<string, CatalogTool>;
  readonly quarantined: readonly QuarantinedTool[];
  /** Of `host.tools()`: those that the host's model is not offered but finds, where there are any. */
  readonly behindSearch?: ToolsBehindSearch;
  /** What is odd about tools and servers: by server id, then by tool. */
  readonly warnings?: readonly CatalogWarning[];
}

/** Tools for which a request to a model has no room: it is not offered them, and finds them by `searchToolName`. */
export interface ToolsBehindSearch {
  /** At least one. */
  readonly tools: readonly CatalogTool[];
  /** Those that the model is offered instead, in the request's order: the two that find and call others are among them. */
  readonly offered: readonly CatalogTool[];
  /** What the room is, in a few words. */
  readonly reason: string;
}

/** A call that was resolved, parsed and found valid against its tool's own inputSchema. */
export interface ToolCall {
  /** The id of the model's block: unique in the transcript. */
  readonly id: string;
  readonly tool: CatalogTool;
  /** Deeply frozen. */
  readonly arguments: JsonObject;
  /** The exact text of the arguments: what is shown is what runs. */
  readonly argumentsJson: string;
  /** Things to tell the person, such as a schema that could not be checked. */
  readonly warnings: readonly string[];
}
