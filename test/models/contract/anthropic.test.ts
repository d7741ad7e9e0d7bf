import { test } from "vitest";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createAnthropicModel } from "../../../src/models/anthropic/model.ts";
import { startAnthropicSimulator } from "../../../src/testing/anthropic/simulator.ts";
import type { SimulatedStep, SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import { modelContract } from "../../../src/testing/model-contract/contract.ts";
import type { ContractSetup, ContractTurn, SeenMessage } from "../../../src/testing/model-contract/setup.ts";
import { mapStep } from "./map-step.ts";

function turnOf({ thinking, text, calls = [], cut, delayMs }: ContractTurn): SimulatedTurn {
  return {
    content: [
      ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature: "c2ln" }]),
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input }) => ({
        type: "tool_use",
        ...(id === undefined ? {} : { id }),
        name,
        partial_json: input,
      })),
    ],
    ...(cut === true ? { stop_reason: "max_tokens" } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

type Block = Readonly<Record<string, unknown>>;

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

function read(message: { role: string; content: readonly Block[] }): SeenMessage[] {
  const { role, content } = message;
  if (role === "assistant") {
    const callIds = content.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : []));
    return [{ role, text: textOf(content), callIds }];
  }
  const images = (blocks: readonly Block[]): number => blocks.filter(({ type }) => type === "image").length;
  const results = content.flatMap((block): SeenMessage[] => {
    if (block.type !== "tool_result") return [];
    const inner = (block.content ?? []) as readonly Block[];
    return [
      {
        role: "result",
        callId: String(block.tool_use_id),
        text: textOf(inner),
        images: images(inner),
        isError: block.is_error === true,
      },
    ];
  });
  const text = textOf(content);
  if (text === "" && images(content) === 0) return results;
  return [...results, { role: "user", text, images: images(content) }];
}

const setup: ContractSetup = {
  keyVariable: "ANTHROPIC_API_KEY",
  errorsAsText: false,
  async start({ steps, maxRetries, clock, apiKey, fragmentBytes }) {
    const turns: SimulatedStep[] = steps.map((step) => mapStep(step, turnOf));
    const simulator = await startAnthropicSimulator({ turns, fragmentBytes });
    const model = createAnthropicModel({
      name: "claude-opus-5",
      apiKey,
      baseUrl: simulator.url,
      fetch: createKeepAliveFetch(),
      maxRetries,
      retryDeadlineMs: 60_000,
      clock,
    });
    return { ...simulator, model };
  },
  read: ({ body }) => (body.messages as Parameters<typeof read>[0][]).flatMap(read),
};

test.each(modelContract(setup))("anthropic: $name", ({ run }) => run());
