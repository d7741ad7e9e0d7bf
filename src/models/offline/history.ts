import type { JsonObject } from "../../types/json.ts";
import type { Message, ToolResultBlock, UserMessage } from "../../types/message.ts";
import type { ToolSnapshot } from "../../types/tool.ts";
import { isObject } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";

/** A call of this run and what came of it. */
export interface Exchange {
  readonly alias: string;
  /** `server/tool`, or the alias when the tool is gone. */
  readonly label: string;
  readonly key: string;
  readonly arguments: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

/** The run so far, read from the messages alone. */
export interface History {
  readonly question: string;
  readonly exchanges: readonly Exchange[];
  /** Turns with calls since the question. */
  readonly turns: number;
  /** Calls in the whole conversation: numbers the next one. */
  readonly calls: number;
}

/** Identity of a call: the same tool with the same arguments is never called twice in a run. */
export function callKey(alias: string, given: JsonObject): string {
  return `${alias} ${stableJson(given)}`;
}

/** Reads the last question and everything after it. */
export function readHistory(messages: readonly Message[], snapshot: ToolSnapshot): History {
  const start = questionAt(messages);
  const question = start < 0 ? "" : questionOf(messages[start]);
  const exchanges: Exchange[] = [];
  let turns = 0;
  let calls = 0;
  for (const [at, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const proposed = message.content.filter((block) => block.type === "tool_call");
    calls += proposed.length;
    if (at <= start || proposed.length === 0) continue;
    turns++;
    for (const block of proposed) {
      const result = resultOf(messages[at + 1], block.id);
      const given = parsed(block.input);
      const route = snapshot.byAlias.get(block.name)?.route;
      exchanges.push({
        alias: block.name,
        label: route === undefined ? block.name : `${route.server}/${route.tool}`,
        key: callKey(block.name, given),
        arguments: given,
        text: result === null ? "There was no result." : textOf({ role: "user", content: result.content }),
        isError: result === null || result.isError,
      });
    }
  }
  return { question, exchanges, turns, calls };
}

/** Position of the last message in which somebody asks something; text behind tool results is no question. */
function questionAt(messages: readonly Message[]): number {
  const asks = (message: Message, alone: boolean) =>
    message.role === "user" &&
    message.content.some((block) => block.type === "text") &&
    (!alone || message.content.every((block) => block.type !== "tool_result"));
  const alone = messages.findLastIndex((message) => asks(message, true));
  return alone >= 0 ? alone : messages.findLastIndex((message) => asks(message, false));
}

/** The first text; what comes behind it, such as a file or piped input, goes with the question and asks nothing. */
function questionOf(message: Message | undefined): string {
  const text = message?.content.find((block) => block.type === "text");
  return text?.type === "text" ? text.text : "";
}

function textOf(message: Message | UserMessage | undefined): string {
  return (message?.content ?? [])
    .flatMap((block) =>
      block.type === "text" ? [block.text] : block.type === "image" ? ["(a picture)"] : [],
    )
    .join("\n");
}

function resultOf(message: Message | undefined, callId: string): ToolResultBlock | null {
  if (message?.role !== "user") return null;
  const found = message.content.find((block) => block.type === "tool_result" && block.callId === callId);
  return found?.type === "tool_result" ? found : null;
}

function parsed(input: string): JsonObject {
  try {
    const value: unknown = JSON.parse(input);
    return isObject(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
