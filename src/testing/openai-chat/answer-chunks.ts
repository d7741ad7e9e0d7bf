import type { WireObject } from "../wire-server/api.ts";
import { pieces } from "../wire-server/pieces.ts";
import type { CompleteChatCall, SimulatedChatTurn } from "./turns.ts";

/** One answer, complete. */
export interface ChatAnswer {
  readonly id: string;
  readonly model: string;
  readonly turn: SimulatedChatTurn;
  readonly calls: readonly CompleteChatCall[];
  readonly usage: WireObject;
  /** Whether the stream tells the usage, and how: in a chunk of its own, or with the last one. */
  readonly streamUsage: "chunk" | "last" | null;
}

/** When every answer was made: tests compare whole answers. */
const created = 1_790_000_000;

function finishReason({ turn, calls }: ChatAnswer): string {
  return turn.finish_reason ?? (calls.length > 0 ? "tool_calls" : "stop");
}

/** The answer as one object: what a request without `stream` gets. */
export function chatCompletion(answer: ChatAnswer): object {
  const { id, model, turn, calls, usage } = answer;
  const toolCalls = calls.map((call) => ({ id: call.id, type: "function", function: functionOf(call) }));
  const message = {
    role: "assistant",
    content: turn.content ?? null,
    refusal: turn.refusal ?? null,
    ...(turn.reasoning_content === undefined ? {} : { reasoning_content: turn.reasoning_content }),
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(answer) };
  return { id, object: "chat.completion", created, model, choices: [choice], usage };
}

function functionOf({ name, arguments: text }: CompleteChatCall): object {
  return { name, arguments: text };
}

/**
 * The answer as it is streamed: a chunk with the role, the deltas, one with the finish reason, one with the usage, and
 * `[DONE]`.
 * @param deltaChars length of the pieces that texts and arguments are streamed in.
 */
export function chatFrames(answer: ChatAnswer, deltaChars: number): string[] {
  const { id, model, turn, usage, streamUsage } = answer;
  const chunk = (choices: readonly object[], extra: object = {}): string =>
    frameOf({
      id,
      object: "chat.completion.chunk",
      created,
      model,
      choices,
      ...(streamUsage === "chunk" ? { usage: null } : {}),
      ...extra,
    });
  const choice = (delta: object, reason: string | null = null): object => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason: reason,
  });
  const deltas = turn.deltas ?? deltasOf(answer, deltaChars);
  const last = streamUsage === "last" ? { usage } : {};
  return [
    chunk([choice({ role: "assistant", content: "", refusal: null })]),
    ...deltas.map((delta) => chunk([choice(delta)])),
    chunk([choice({}, finishReason(answer))], last),
    ...(streamUsage === "chunk" ? [chunk([], { usage })] : []),
    ...(turn.done === false ? [] : ["data: [DONE]\n\n"]),
  ];
}

function deltasOf({ turn, calls }: ChatAnswer, deltaChars: number): object[] {
  const texts = (name: string, text: string | undefined): object[] =>
    text === undefined ? [] : pieces(text, deltaChars).map((piece) => ({ [name]: piece }));
  return [
    ...texts("reasoning_content", turn.reasoning_content),
    ...texts("content", turn.content),
    ...texts("refusal", turn.refusal),
    ...calls.flatMap(({ id, name, arguments: text }, index) => [
      { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
      ...pieces(text, deltaChars).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
}

export function frameOf(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}
