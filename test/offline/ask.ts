import { createOfflineModel } from "../../src/models/offline/model.ts";
import type { JsonObject } from "../../src/types/json.ts";
import type { AssistantMessage, Message, ToolResultBlock } from "../../src/types/message.ts";
import type { ModelResponse } from "../../src/types/model.ts";
import type { ToolSnapshot } from "../../src/types/tool.ts";
import type { StartedServer } from "./servers.ts";

/** A call as the model proposed it. */
export interface ProposedCall {
  readonly id: string;
  readonly tool: string;
  readonly given: JsonObject;
}

export const question = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** One answer of the model. */
export async function respond(messages: readonly Message[], snapshot: ToolSnapshot): Promise<ModelResponse> {
  const signal = new AbortController().signal;
  for await (const event of createOfflineModel().stream({
    system: "",
    snapshot,
    messages,
    maxTokens: 1_000,
    signal,
  })) {
    if (event.type === "response") return event.response;
  }
  throw new Error("the model gave no response");
}

/** The calls of a message, by `server/tool`. */
export function callsOf(message: AssistantMessage, snapshot: ToolSnapshot): ProposedCall[] {
  return message.content.flatMap((block) => {
    if (block.type !== "tool_call") return [];
    const route = snapshot.byAlias.get(block.name)?.route;
    return [{ id: block.id, tool: `${route?.server}/${route?.tool}`, given: JSON.parse(block.input) }];
  });
}

function textOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

export type Answerer = (call: ProposedCall) => Promise<{ readonly text: string; readonly isError: boolean }>;

/** Answers calls with the real servers. */
export function realAnswers(servers: readonly StartedServer[]): Answerer {
  return async (call) => {
    const [name = "", tool = ""] = call.tool.split("/");
    const server = servers.find((each) => each.name === name);
    if (server === undefined) throw new Error(`no server ${name}`);
    return server.call(tool, call.given);
  };
}

/** Runs turns until the model answers; gives every call and the answer. At most 12 turns. */
export async function runTurns(
  text: string,
  snapshot: ToolSnapshot,
  answer: Answerer,
): Promise<{ readonly calls: ProposedCall[][]; readonly text: string }> {
  const messages: Message[] = [question(text)];
  const calls: ProposedCall[][] = [];
  for (let turn = 0; turn < 12; turn++) {
    const { message } = await respond(messages, snapshot);
    const proposed = callsOf(message, snapshot);
    if (proposed.length === 0) return { calls, text: textOf(message) };
    calls.push(proposed);
    const results = await Promise.all(
      proposed.map(async (call): Promise<ToolResultBlock> => {
        const { text: said, isError } = await answer(call);
        return { type: "tool_result", callId: call.id, content: [{ type: "text", text: said }], isError };
      }),
    );
    messages.push(message, { role: "user", content: results });
  }
  throw new Error("the model did not stop");
}
