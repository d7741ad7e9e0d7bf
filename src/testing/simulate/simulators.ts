import { startAnthropicSimulator } from "../anthropic/simulator.ts";
import type { SimulatedTurn } from "../anthropic/turns.ts";
import { startGeminiSimulator } from "../gemini/simulator.ts";
import type { SimulatedGeminiTurn } from "../gemini/turns.ts";
import { startOpenAiChatSimulator } from "../openai-chat/simulator.ts";
import type { SimulatedChatTurn } from "../openai-chat/turns.ts";
import { startOpenAiResponsesSimulator } from "../openai-responses/simulator.ts";
import type { SimulatedResponseTurn } from "../openai-responses/turns.ts";
import type { Simulator, SimulatorOptions } from "../wire-server/server.ts";
import { mapStep, type NeutralCall, type NeutralStep, type NeutralTurn } from "./neutral-turn.ts";

/** How a simulator is started by its name. */
export interface NamedSimulatorOptions
  extends Pick<SimulatorOptions<never>, "port" | "onRequest" | "firstByteMs" | "fragmentBytes"> {
  /** Without it a few rules choose the answers. */
  readonly steps?: readonly NeutralStep[];
}

/** A simulated API that can be started by its name. */
export interface NamedSimulator {
  start(options: NamedSimulatorOptions): Promise<Simulator>;
  /** Variables that lead a program to it, and a key that it takes. */
  variables(url: string): Readonly<Record<string, string>>;
}

/** Every simulated API by its name; the name is also the API's part of a model's name. */
export const namedSimulators: Readonly<Record<string, NamedSimulator>> = {
  anthropic: {
    start: ({ steps, ...options }) =>
      startAnthropicSimulator({ ...options, ...turnsOf(steps, anthropicTurn) }),
    variables: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "simulated" }),
  },
  "openai-responses": {
    start: ({ steps, ...options }) =>
      startOpenAiResponsesSimulator({ ...options, ...turnsOf(steps, responseTurn) }),
    variables: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "simulated" }),
  },
  "openai-chat": {
    start: ({ steps, ...options }) => startOpenAiChatSimulator({ ...options, ...turnsOf(steps, chatTurn) }),
    variables: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "simulated" }),
  },
  gemini: {
    start: ({ steps, ...options }) => startGeminiSimulator({ ...options, ...turnsOf(steps, geminiTurn) }),
    variables: (url) => ({ GEMINI_BASE_URL: url, GEMINI_API_KEY: "simulated" }),
  },
};

function turnsOf<Turn extends { readonly delayMs?: number; readonly fault?: undefined }>(
  steps: readonly NeutralStep[] | undefined,
  turnOf: (turn: NeutralTurn) => Turn,
): Pick<SimulatorOptions<Turn>, "turns"> {
  return steps === undefined ? {} : { turns: steps.map((step) => mapStep(step, turnOf)) };
}

function anthropicTurn({ thinking, text, calls = [], refusal, cut, delayMs }: NeutralTurn): SimulatedTurn {
  const stop = refusal !== undefined ? "refusal" : cut === true ? "max_tokens" : undefined;
  return {
    content: [
      ...(thinking === undefined ? [] : [{ type: "thinking", thinking }]),
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input = {} }: NeutralCall) => ({
        type: "tool_use",
        ...(id === undefined ? {} : { id }),
        name,
        ...(typeof input === "string" ? { partial_json: input } : { input }),
      })),
    ],
    ...(stop === undefined ? {} : { stop_reason: stop }),
    ...(refusal === undefined
      ? {}
      : { stop_details: { type: "refusal", category: null, explanation: refusal } }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function chatTurn({ thinking, text, calls = [], refusal, cut, delayMs }: NeutralTurn): SimulatedChatTurn {
  return {
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(text === undefined ? {} : { content: text }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ input = {}, ...call }) => ({ ...call, arguments: input })) }),
    ...(cut === true ? { finish_reason: "length" } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function responseTurn({
  thinking,
  text,
  calls = [],
  refusal,
  cut,
  delayMs,
}: NeutralTurn): SimulatedResponseTurn {
  const says = text !== undefined || refusal !== undefined;
  return {
    output: [
      ...(thinking === undefined ? [] : [{ type: "reasoning" as const, summary: [thinking] }]),
      ...(says
        ? [
            {
              type: "message" as const,
              ...(text === undefined ? {} : { text }),
              ...(refusal === undefined ? {} : { refusal }),
            },
          ]
        : []),
      ...calls.map(({ id, name, input = {} }) => ({
        type: "function_call" as const,
        ...(id === undefined ? {} : { call_id: id }),
        name,
        arguments: input,
      })),
    ],
    ...(cut === true ? { incomplete: "max_output_tokens" as const } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function geminiTurn({ thinking, text, calls = [], refusal, cut, delayMs }: NeutralTurn): SimulatedGeminiTurn {
  const reason = refusal !== undefined ? "SAFETY" : cut === true ? "MAX_TOKENS" : undefined;
  return {
    parts: [
      ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ id, name, input = {} }) => ({
        functionCall: { ...(id === undefined ? {} : { id }), name, args: input },
      })),
    ],
    ...(reason === undefined ? {} : { finishReason: reason }),
    ...(refusal === undefined ? {} : { finishMessage: refusal }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}
