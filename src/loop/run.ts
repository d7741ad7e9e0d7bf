import { HostError, toHostError } from "../errors.ts";
import type { Emit, Stop } from "../types/events.ts";
import type { AssistantMessage, ToolCallBlock, ToolResultBlock, UserMessage } from "../types/message.ts";
import type { ModelResponse } from "../types/model.ts";
import type { LoopPorts } from "../types/ports.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { assess, firstTries, type Next } from "./assess.ts";
import { type BatchContext, cutCalls, runBatch } from "./call.ts";
import { askWithRoom, fitRequest } from "./room.ts";

export interface LoopSettings {
  readonly runId: string;
  readonly system: string;
  readonly maxTokens: number;
  readonly batch: BatchContext;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** How a run ended: why, and the last message of the model. */
export interface LoopEnd {
  readonly stop: Stop;
  readonly message: AssistantMessage | null;
}

/**
 * From a question to its answer: the one place that knows the order of the stages. Never rejects, and whatever the
 * end, every call in the transcript has its result.
 */
export async function runLoop(
  input: UserMessage,
  settings: LoopSettings,
  ports: LoopPorts,
): Promise<LoopEnd> {
  let last: AssistantMessage | null = null;
  try {
    ports.transcript.append(input);
    let tries = firstTries(settings.maxTokens);
    for (;;) {
      const over: Stop | null = settings.signal.aborted ? { type: "aborted" } : ports.budget.check();
      if (over !== null) return { stop: over, message: last };
      const snapshot = await ports.catalog.snapshot(settings.signal);
      const fitted = await fitRequest(snapshot, tries.maxTokens, settings, ports);
      const tooMany = ports.budget.check(fitted.leastTokens);
      if (tooMany !== null) return { stop: tooMany, message: last };
      const turn = ports.budget.startTurn();
      settings.emit({ type: "turn_started", turn });
      const response = await askWithRoom(turn, fitted.request, settings, ports);
      if (response === null) return { stop: { type: "truncated" }, message: last };
      const next = assess(response, toolCalls(response.message), tries);
      if (next.type !== "finish") tries = next.tries;
      if (next.type === "ask_again") {
        askAgain(turn, next, settings, ports);
        continue;
      }
      if (next.type === "finish" && !next.store) return { stop: next.stop, message: last };
      last = store(turn, response, settings, ports);
      if (next.type === "finish") return { stop: next.stop, message: last };
      if (next.type === "resume") continue;
      await answerCalls(turn, last, snapshot, next, settings, ports);
      if (next.type === "answer_cut_calls" && next.stop !== null) return { stop: next.stop, message: last };
    }
  } catch (thrown) {
    return { stop: failed(thrown, settings, ports), message: last };
  }
}

/** Assistant turns first, before anything they ask for happens. */
function store(
  turn: number,
  response: ModelResponse,
  settings: LoopSettings,
  ports: LoopPorts,
): AssistantMessage {
  const message = ports.transcript.append(response.message);
  const { stopReason, usage } = response;
  settings.emit({ type: "message_completed", turn, message, stopReason, usage, cost: ports.budget.cost });
  return message;
}

/** Every call of the turn gets its result, all in one user message, in call order. */
async function answerCalls(
  turn: number,
  message: AssistantMessage,
  snapshot: ToolSnapshot,
  next: Extract<Next, { type: "run_calls" | "answer_cut_calls" }>,
  settings: LoopSettings,
  ports: LoopPorts,
): Promise<void> {
  const calls = toolCalls(message);
  const batch = next.type === "run_calls" ? runBatch : cutCalls;
  const mapped = await batch(calls, snapshot, ports, { ...settings.batch, turn });
  const results = mapped.results.map((result) => result.block);
  const content = [...withNote(results, ports.budget.addResults(calls, results)), ...mapped.trailing];
  ports.transcript.append({ role: "user", content });
}

/** The results with a note of the host behind the last one. */
function withNote(results: readonly ToolResultBlock[], note: string | null): readonly ToolResultBlock[] {
  const last = results.at(-1);
  if (note === null || last === undefined) return results;
  return results.with(-1, { ...last, content: [...last.content, { type: "text", text: note }] });
}

function askAgain(
  turn: number,
  next: Extract<Next, { type: "ask_again" }>,
  settings: LoopSettings,
  ports: LoopPorts,
): void {
  settings.emit({ type: "turn_revoked", turn, attempt: 1, reason: next.reason, retryInMs: 0 });
  if (next.nudge === null) return;
  ports.transcript.append({ role: "user", content: [{ type: "text", text: next.nudge }] });
}

function toolCalls(message: AssistantMessage): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === "tool_call");
}

/** The stop for whatever was thrown; answers calls that a failure between two stages left open. */
function failed(thrown: unknown, settings: LoopSettings, ports: LoopPorts): Stop {
  const error = toHostError(thrown);
  const last = ports.transcript.messages.at(-1);
  if (last?.role === "assistant" && toolCalls(last).length > 0) {
    const text = `Not answered: ${error.message}`;
    const content = toolCalls(last).map((call) => ({
      type: "tool_result" as const,
      callId: call.id,
      content: [{ type: "text" as const, text }],
      isError: true,
    }));
    ports.transcript.append({ role: "user", content });
  }
  if (settings.signal.aborted || (error instanceof HostError && error.code === "aborted"))
    return { type: "aborted" };
  return { type: "failed", error: { code: error.code, message: error.message } };
}
