import type { JsonObject } from "../../../src/types/json.ts";
import type { Message } from "../../../src/types/message.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../../../src/types/model.ts";
import type { CatalogTool, ToolSnapshot } from "../../../src/types/tool.ts";

/** A tool of a test: its alias is `files__` and its name. */
export function catalogTool(name: string, inputSchema: JsonObject, alias = `files__${name}`): CatalogTool {
  return {
    alias,
    route: { server: "files", tool: name },
    definition: { name, description: `Does ${name}.`, inputSchema, annotations: {} },
    definitionHash: "d",
    configHash: "c",
    trusted: false,
    listed: true,
  };
}

export function snapshotOf(...tools: CatalogTool[]): ToolSnapshot {
  return { version: 1, tools, byAlias: new Map(tools.map((tool) => [tool.alias, tool])), quarantined: [] };
}

export function userText(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function requestOf(messages: readonly Message[], extra: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "Be brief.",
    snapshot: snapshotOf(catalogTool("read", { type: "object", properties: { path: { type: "string" } } })),
    messages,
    maxTokens: 1000,
    signal: new AbortController().signal,
    ...extra,
  };
}

/** Every event of an answer. */
export async function eventsOf(model: Model, request: ModelRequest): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  return events;
}

/** Requests that an answer tells of, its own and those that failed before it. */
export function requestsTold(events: readonly ModelEvent[]): number {
  const told = events.map((event) => {
    if (event.type === "usage") return event.usage.requests;
    return event.type === "response" ? event.response.usage.requests : 0;
  });
  return told.reduce((sum, requests) => sum + requests, 0);
}

/** The response, which must be the one last event. */
export async function responseOf(model: Model, request: ModelRequest): Promise<ModelResponse> {
  const events = await eventsOf(model, request);
  const last = events.at(-1);
  if (last?.type !== "response") throw new Error("The answer did not end with a response.");
  return last.response;
}
