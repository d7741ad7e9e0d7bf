import { test } from "vitest";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createOpenAiResponsesModel } from "../../../src/models/openai-responses/model.ts";
import { modelContract } from "../../../src/testing/model-contract/contract.ts";
import type { ContractSetup, ContractTurn, SeenMessage } from "../../../src/testing/model-contract/setup.ts";
import { startOpenAiResponsesSimulator } from "../../../src/testing/openai-responses/simulator.ts";
import type { SimulatedResponseTurn } from "../../../src/testing/openai-responses/turns.ts";
import { mapStep } from "./map-step.ts";

function turnOf({ thinking, text, calls = [], cut, delayMs }: ContractTurn): SimulatedResponseTurn {
  return {
    output: [
      ...(thinking === undefined ? [] : [{ type: "reasoning" as const, summary: [thinking] }]),
      ...(text === undefined ? [] : [{ type: "message" as const, text }]),
      ...calls.map(({ id, name, input }) => ({
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

interface WirePart {
  readonly type: string;
  readonly text?: string;
}

interface WireItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly WirePart[];
  readonly call_id?: string;
  readonly output?: string | readonly WirePart[];
}

const wordsOf = (parts: readonly WirePart[]): string => parts.map(({ text }) => text ?? "").join("");
const imagesOf = (parts: readonly WirePart[]): number =>
  parts.filter(({ type }) => type === "input_image").length;

/** Items of one turn of the model are one message. */
function read(items: readonly WireItem[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  for (const { type, role, content = [], call_id = "", output = "" } of items) {
    if (type === "function_call_output") {
      const parts = typeof output === "string" ? [{ type: "input_text", text: output }] : output;
      seen.push({
        role: "result",
        callId: call_id,
        text: wordsOf(parts),
        images: imagesOf(parts),
        isError: false,
      });
    } else if (role === "user") {
      seen.push({ role, text: wordsOf(content), images: imagesOf(content) });
    } else {
      const last = seen.at(-1);
      const callIds = type === "function_call" ? [call_id] : [];
      if (last?.role !== "assistant") seen.push({ role: "assistant", text: wordsOf(content), callIds });
      else {
        seen[seen.length - 1] = {
          ...last,
          text: last.text + wordsOf(content),
          callIds: [...last.callIds, ...callIds],
        };
      }
    }
  }
  return seen;
}

const setup: ContractSetup = {
  keyVariable: "OPENAI_API_KEY",
  errorsAsText: true,
  async start({ steps, maxRetries, clock, apiKey, fragmentBytes }) {
    const turns = steps.map((step) => mapStep(step, turnOf));
    const simulator = await startOpenAiResponsesSimulator({ turns, fragmentBytes });
    const model = createOpenAiResponsesModel({
      name: "gpt-5.6",
      apiKey,
      baseUrl: `${simulator.url}/v1`,
      fetch: createKeepAliveFetch(),
      maxRetries,
      retryDeadlineMs: 60_000,
      clock,
    });
    return { ...simulator, model };
  },
  read: ({ body }) => read(body.input as readonly WireItem[]),
};

test.each(modelContract(setup))("openai-responses: $name", ({ run }) => run());
