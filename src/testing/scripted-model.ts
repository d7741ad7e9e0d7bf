import { HostError } from "../errors.ts";
import type { AssistantMessage, Message } from "../types/message.ts";
import type { Model, ModelEvent, ModelRequest, StopReason, Usage } from "../types/model.ts";
import type { ToolRoute } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";

/** One call of a scripted turn. `input` is an object, or the raw text of the arguments as a model would write it. */
export interface ScriptedCall {
  readonly name: string;
  readonly input?: object | string;
  /** Minted (`call_1`, `call_2`, …) when absent. */
  readonly id?: string;
}

/** One answer of the scripted model. The stop reason follows from the calls when it is absent. */
export interface ScriptedTurn {
  /** One text block, or several. */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly stopReason?: StopReason;
  readonly rawStopReason?: string;
  readonly refusal?: string;
  readonly usage?: Partial<Usage>;
  /** Attempts that fail before this answer, each with its reason. */
  readonly failedAttempts?: readonly string[];
}

/** What one request is answered with: a turn, an error to reject with, or a function of the request. */
export type ScriptedStep =
  | ScriptedTurn
  | Error
  | ((request: ModelRequest) => ScriptedTurn | Error | Promise<ScriptedTurn | Error>);

/** A frozen copy of what a request held. */
export interface RecordedRequest {
  readonly system: string;
  readonly maxTokens: number;
  readonly tools: readonly {
    readonly alias: string;
    readonly route: ToolRoute;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  readonly messages: readonly Message[];
}

/** A model that answers by script, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  readonly requests: readonly RecordedRequest[];
  /** Throws when steps are left over. */
  assertDone(): void;
}

/**
 * A model for tests: each request takes the next step. A request too many rejects with a sentence that says so;
 * `assertDone()` throws on one too few. It streams deltas of the text and of the arguments, then the one `response`.
 */
export function scriptedModel(steps: readonly ScriptedStep[]): ScriptedModel {
  const requests: RecordedRequest[] = [];
  const mintId = idMint();
  return {
    api: "scripted",
    name: "scripted",
    capabilities: { toolResultImages: true, offline: false },
    requests,
    assertDone() {
      if (requests.length < steps.length) {
        throw new Error(`The scripted model was asked ${requests.length} times of ${steps.length}.`);
      }
    },
    async *stream(request) {
      requests.push(record(request));
      if (request.signal.aborted) throw new HostError("aborted", "The run was aborted.");
      const step = steps[requests.length - 1];
      if (step === undefined) {
        throw new Error(`The scripted model has ${steps.length} steps; this is request ${requests.length}.`);
      }
      const turn = typeof step === "function" ? await untilAborted(step(request), request.signal) : step;
      if (turn instanceof Error) throw turn;
      yield* play(turn, mintId, request.signal);
    },
  };
}

function idMint(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `call_${count}`;
  };
}

function record(request: ModelRequest): RecordedRequest {
  const tools = request.snapshot.tools.map((tool) => ({
    alias: tool.alias,
    route: tool.route,
    description: tool.definition.description,
    inputSchema: tool.definition.inputSchema,
  }));
  const { system, maxTokens, messages } = request;
  return deepFreeze(structuredClone({ system, maxTokens, tools, messages }));
}

/** A step that never settles still ends with the run. */
function untilAborted<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new HostError("aborted", "The run was aborted."));
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

async function* play(
  turn: ScriptedTurn,
  mintId: () => string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (const [index, reason] of (turn.failedAttempts ?? []).entries()) {
    yield { type: "text_delta", text: "revoked" };
    yield { type: "attempt_failed", attempt: index + 1, reason, retryInMs: 0 };
  }
  const content: AssistantMessage["content"][number][] = [];
  if (turn.thinking !== undefined) {
    content.push({ type: "thinking", text: turn.thinking });
    yield { type: "thinking_delta", text: turn.thinking };
  }
  for (const block of [turn.text ?? []].flat()) {
    if (block === "") continue;
    content.push({ type: "text", text: block });
    for (const text of halves(block)) yield { type: "text_delta", text };
  }
  for (const call of turn.calls ?? []) {
    const { name } = call;
    const input = typeof call.input === "string" ? call.input : JSON.stringify(call.input ?? {});
    const id = call.id ?? mintId();
    content.push({ type: "tool_call", id, name, input });
    for (const json of halves(input)) yield { type: "tool_input_delta", callId: id, name, json };
  }
  if (signal.aborted) throw new HostError("aborted", "The run was aborted.");
  const stopReason = turn.stopReason ?? ((turn.calls?.length ?? 0) > 0 ? "tool_use" : "end_turn");
  yield {
    type: "response",
    response: {
      message: deepFreeze({ role: "assistant", content }),
      stopReason,
      rawStopReason: turn.rawStopReason ?? stopReason,
      ...(turn.refusal === undefined ? {} : { refusal: turn.refusal }),
      usage: {
        requests: 1 + (turn.failedAttempts?.length ?? 0),
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        ...turn.usage,
      },
    },
  };
}

/** Two parts, so that whoever listens has to join them. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== "");
}
