import type { Stop } from "../types/events.ts";
import type { AssistantMessage, ToolCallBlock } from "../types/message.ts";
import type { ModelResponse } from "../types/model.ts";

/** What was already tried since the last calls ran, so that nothing is tried for ever. */
export interface Tries {
  /** Most tokens of the next answer. */
  readonly maxTokens: number;
  readonly roomDoubled: boolean;
  readonly nudged: boolean;
  readonly pauses: number;
}

/** What to do with an answer. Nothing of an answer that is not stored is kept. */
export type Next =
  /** Store it; run its calls; ask again. */
  | { readonly type: "run_calls"; readonly tries: Tries }
  /** Store it; answer its calls with errors, because they were cut; then ask again with more room, or stop. */
  | { readonly type: "answer_cut_calls"; readonly tries: Tries; readonly stop: Stop | null }
  /** Store it; ask again without a word of ours. */
  | { readonly type: "resume"; readonly tries: Tries }
  /** Drop it; ask again, with a word of ours if there is one. */
  | {
      readonly type: "ask_again";
      readonly tries: Tries;
      readonly reason: string;
      readonly nudge: string | null;
    }
  /** Store it if there is something to store; stop. */
  | { readonly type: "finish"; readonly stop: Stop; readonly store: boolean };

/** How often a paused turn is resumed in a row. */
const pausesAtMost = 10;
/** Doubling stops here: some models refuse more. */
const roomAtMost = 64_000;
const nudge = "Please continue: the last answer was empty.";

export function firstTries(maxTokens: number): Tries {
  return { maxTokens, roomDoubled: false, nudged: false, pauses: 0 };
}

/** Decides by the blocks that are there; the stop reason only refines. Pure. */
export function assess(response: ModelResponse, calls: readonly ToolCallBlock[], tries: Tries): Next {
  const { stopReason, message } = response;
  if (stopReason === "refusal") return refused(response);
  if (stopReason === "max_tokens" || stopReason === "context_window_exceeded") {
    return truncated(stopReason === "max_tokens", message, calls, tries);
  }
  // Work that goes on is a new start for everything that is tried a limited number of times; the room stays.
  if (calls.length > 0) return { type: "run_calls", tries: firstTries(tries.maxTokens) };
  if (stopReason === "pause_turn" && holdsAnything(message)) {
    if (tries.pauses < pausesAtMost) return { type: "resume", tries: { ...tries, pauses: tries.pauses + 1 } };
    return { type: "finish", stop: { type: "truncated" }, store: true };
  }
  const empty = !message.content.some((block) => block.type === "text" && block.text.trim() !== "");
  return empty ? emptyAnswer(tries) : { type: "finish", stop: { type: "answered" }, store: true };
}

function refused(response: ModelResponse): Next {
  const explanation = response.refusal ?? "The model refused without an explanation.";
  return { type: "finish", stop: { type: "refused", explanation }, store: false };
}

/** Blocks that anybody can read, or only the API that wrote them: with neither there is nothing to store. */
function holdsAnything({ content, native }: AssistantMessage): boolean {
  return content.length > 0 || (native !== undefined && native.json !== "[]");
}

function truncated(
  moreRoomHelps: boolean,
  message: AssistantMessage,
  calls: readonly ToolCallBlock[],
  tries: Tries,
): Next {
  const again = moreRoomHelps && !tries.roomDoubled;
  const room = Math.max(tries.maxTokens, Math.min(tries.maxTokens * 2, roomAtMost));
  const next = { ...tries, maxTokens: room, roomDoubled: true };
  if (calls.length > 0) {
    return { type: "answer_cut_calls", tries: next, stop: again ? null : { type: "truncated" } };
  }
  if (!again) return { type: "finish", stop: { type: "truncated" }, store: holdsAnything(message) };
  return { type: "ask_again", tries: next, reason: "the answer was cut at its token limit", nudge: null };
}

function emptyAnswer(tries: Tries): Next {
  if (!tries.nudged) {
    return { type: "ask_again", tries: { ...tries, nudged: true }, reason: "the answer was empty", nudge };
  }
  const error = {
    code: "model_empty_response",
    message: "The model answered twice with nothing. Ask again.",
  } as const;
  return { type: "finish", stop: { type: "failed", error }, store: false };
}
