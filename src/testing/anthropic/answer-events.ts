import { isObject } from "../../util/own.ts";
import { pieces } from "../wire-server/pieces.ts";
import type { CacheUsage } from "./prompt-cache.ts";
import type { CompleteTurn, SimulatedBlock } from "./turns.ts";

/** An event of the stream: its name is the type of its payload. */
export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The identity of one answer. */
export interface AnswerHead {
  readonly id: string;
  readonly model: string;
  readonly usage: CacheUsage;
  /** Why the prompt cache missed, when the request asked for it. */
  readonly diagnostics: object | null;
  /** What was changed in the request before the model saw it; only with the beta that tells it. */
  readonly transformations: readonly object[] | null;
}

/** The answer as one object: what a request without `stream` gets. */
export function answerMessage(head: AnswerHead, turn: CompleteTurn): object {
  return {
    id: head.id,
    type: "message",
    role: "assistant",
    model: head.model,
    content: turn.content.map(({ partial_json: _, ...block }) => block),
    stop_reason: turn.stopReason,
    stop_sequence: null,
    stop_details: turn.stopDetails,
    container: null,
    diagnostics: head.diagnostics,
    ...(head.transformations === null ? {} : { input_transformations: head.transformations }),
    usage: usageOf(head, turn),
  };
}

function usageOf(head: AnswerHead, turn: CompleteTurn): object {
  return { ...head.usage, output_tokens: turn.outputTokens, ...turn.usage };
}

/**
 * The answer as the API streams it: `message_start` with the usage of the input, a ping, each block as start, deltas
 * and stop, `message_delta` with the stop reason and the cumulative usage, `message_stop`.
 * @param deltaChars length of the pieces that texts and arguments are streamed in.
 */
export function answerEvents(head: AnswerHead, turn: CompleteTurn, deltaChars: number): StreamEvent[] {
  const message = {
    ...answerMessage(head, { ...turn, content: [] }),
    stop_reason: null,
    stop_details: null,
    usage: { ...head.usage, output_tokens: 1 },
  };
  return [
    { type: "message_start", message },
    { type: "ping" },
    ...turn.content.flatMap((block, index) => blockEvents(block, index, deltaChars)),
    {
      type: "message_delta",
      delta: {
        container: null,
        stop_reason: turn.stopReason,
        stop_sequence: null,
        stop_details: turn.stopDetails,
      },
      usage: usageOf(head, turn),
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: SimulatedBlock, index: number, deltaChars: number): StreamEvent[] {
  const { start, deltas } = splitBlock(block, deltaChars);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** What of a block comes with its start, and what as deltas. Types without deltas come whole. */
function splitBlock(block: SimulatedBlock, deltaChars: number): { start: object; deltas: object[] } {
  if (block.type === "text" && typeof block.text === "string") {
    const deltas = pieces(block.text, deltaChars).map((text) => ({ type: "text_delta", text }));
    return { start: { ...block, text: "" }, deltas };
  }
  const { signature, thinking } = block;
  if (block.type === "thinking" && typeof thinking === "string") {
    const deltas: object[] = pieces(thinking, deltaChars).map((part) => ({
      type: "thinking_delta",
      thinking: part,
    }));
    deltas.push({ type: "signature_delta", signature });
    return { start: { ...block, thinking: "", signature: "" }, deltas };
  }
  if (block.type === "tool_use" || block.type === "server_tool_use") {
    const { partial_json: raw, ...rest } = block;
    const empty = isObject(block.input) && Object.keys(block.input).length === 0;
    const text = typeof raw === "string" ? raw : empty ? "" : JSON.stringify(block.input);
    const deltas = ["", ...pieces(text, deltaChars)].map((part) => ({
      type: "input_json_delta",
      partial_json: part,
    }));
    return { start: { ...rest, input: {} }, deltas };
  }
  return { start: block, deltas: [] };
}
