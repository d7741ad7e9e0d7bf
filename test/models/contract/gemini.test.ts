import { describe, test } from "vitest";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createGeminiModel } from "../../../src/models/gemini/model.ts";
import { startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { SimulatedGeminiPart, SimulatedGeminiTurn } from "../../../src/testing/gemini/turns.ts";
import { modelContract } from "../../../src/testing/model-contract/contract.ts";
import type { ContractSetup, ContractTurn, SeenMessage } from "../../../src/testing/model-contract/setup.ts";
import { mapStep } from "./map-step.ts";

function turnOf({ thinking, text, calls = [], cut, delayMs }: ContractTurn): SimulatedGeminiTurn {
  const parts: SimulatedGeminiPart[] = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { ...(id === undefined ? {} : { id }), name, args: input },
    })),
  ];
  return {
    parts,
    ...(cut === true ? { finishReason: "MAX_TOKENS" } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

interface WirePart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly inlineData?: object;
  readonly functionCall?: { readonly id?: string };
  readonly functionResponse?: {
    readonly id?: string;
    readonly response: { readonly output?: string; readonly error?: string };
    readonly parts?: readonly WirePart[];
  };
}

function read({ role, parts }: { role: string; parts: readonly WirePart[] }): SeenMessage[] {
  const text = parts.map((part) => (part.thought === true ? "" : (part.text ?? ""))).join("");
  if (role === "model") {
    const callIds = parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [functionCall.id ?? ""],
    );
    return [{ role: "assistant", text, callIds }];
  }
  const results = parts.flatMap(({ functionResponse: found }): SeenMessage[] => {
    if (found === undefined) return [];
    const { output, error } = found.response;
    return [
      {
        role: "result",
        callId: found.id ?? "",
        text: error ?? output ?? "",
        images: found.parts?.length ?? 0,
        isError: error !== undefined,
      },
    ];
  });
  const images = parts.filter(({ inlineData }) => inlineData !== undefined).length;
  return text === "" && images === 0 ? results : [...results, { role: "user", text, images }];
}

function setupOf(name: string): ContractSetup {
  return {
    keyVariable: "GEMINI_API_KEY",
    errorsAsText: false,
    argumentsAreObjects: true,
    async start({ steps, maxRetries, clock, apiKey, fragmentBytes }) {
      const turns = steps.map((step) => mapStep(step, turnOf));
      const simulator = await startGeminiSimulator({ turns, fragmentBytes, deltaChars: 5 });
      const model = createGeminiModel({
        name,
        apiKey,
        baseUrl: simulator.url,
        fetch: createKeepAliveFetch(),
        maxRetries,
        retryDeadlineMs: 60_000,
        clock,
      });
      return { ...simulator, model };
    },
    read: ({ body }) => (body.contents as Parameters<typeof read>[0][]).flatMap(read),
  };
}

describe.each(["gemini-3-pro", "gemini-2.5-flash"])("%s", (name) => {
  test.each(modelContract(setupOf(name)))("$name", ({ run }) => run());
});
