import assert from "node:assert/strict";
import type { JsonObject } from "../../types/json.ts";
import type { AssistantMessage, Message, ToolResultBlock } from "../../types/message.ts";
import type { ModelEvent, ModelRequest, ModelResponse } from "../../types/model.ts";
import type { CatalogTool, ToolSnapshot } from "../../types/tool.ts";
import { systemClock } from "../../util/clock.ts";
import type { ContractSetup, ContractStart, SeenMessage, StartedModel } from "./setup.ts";

/** The smallest PNG. */
export const smallImage =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function toolOf(name: string, inputSchema: JsonObject): CatalogTool {
  return {
    alias: `files__${name}`,
    route: { server: "files", tool: name },
    definition: { name, description: `Does ${name}.`, inputSchema, annotations: {} },
    definitionHash: `definition-${name}`,
    configHash: "config",
    trusted: false,
    listed: true,
  };
}

export function snapshotOf(...tools: readonly CatalogTool[]): ToolSnapshot {
  return { version: 1, tools, byAlias: new Map(tools.map((tool) => [tool.alias, tool])), quarantined: [] };
}

const reading = snapshotOf(
  toolOf("read", { type: "object", properties: { path: { type: "string" } }, required: ["path"] }),
);

export function requestOf(messages: readonly Message[], extra: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "Be brief.",
    snapshot: reading,
    messages,
    maxTokens: 1_000,
    signal: new AbortController().signal,
    ...extra,
  };
}

export function userText(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** A message that answers calls. */
export function resultsOf(...results: readonly Omit<ToolResultBlock, "type">[]): Message {
  return { role: "user", content: results.map((result) => ({ type: "tool_result", ...result })) };
}

/** Plain results for every call of a turn. */
export function resultsFor(message: AssistantMessage, text = "ok"): Message {
  const calls = message.content.filter((block) => block.type === "tool_call");
  return resultsOf(
    ...calls.map(({ id }) => ({
      callId: id,
      isError: false,
      content: [{ type: "text" as const, text }],
    })),
  );
}

/** Everything that a request was answered with. */
export interface Asked {
  readonly events: readonly ModelEvent[];
  readonly response: ModelResponse;
}

/** Asks, and checks that exactly one response comes, last. */
export async function ask({ model }: StartedModel, request: ModelRequest): Promise<Asked> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  const last = events.at(-1);
  assert.equal(events.filter(({ type }) => type === "response").length, 1, "exactly one response");
  if (last?.type !== "response") throw new Error("the response is the last event");
  return { events, response: last.response };
}

/** What a request rejects with. */
export async function failureOf(
  started: StartedModel,
  request: ModelRequest,
): Promise<Error & { code?: unknown }> {
  try {
    await ask(started, request);
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
    throw new Error("a request rejects with an error", { cause: thrown });
  }
  throw new Error("the request should have been rejected");
}

/** Runs a check on a started model, and ends it. */
export async function withModel(
  setup: ContractSetup,
  options: Partial<ContractStart> & Pick<ContractStart, "steps">,
  check: (started: StartedModel) => Promise<void>,
): Promise<void> {
  const defaults = { maxRetries: 0, clock: systemClock, apiKey: contractKey, fragmentBytes: 0 };
  const started = await setup.start({ ...defaults, ...options });
  try {
    await check(started);
    started.assertDone();
  } finally {
    await started.close();
  }
}

/** The key that every model of the contract has. */
export const contractKey = "sk-contract-0123456789";

/** The messages of the newest request. */
export function lastSeen(setup: ContractSetup, { requests }: StartedModel): readonly SeenMessage[] {
  const last = requests.at(-1);
  assert.ok(last, "a request was made");
  assert.equal(last.status, 200, "the request was taken");
  return setup.read(last);
}
