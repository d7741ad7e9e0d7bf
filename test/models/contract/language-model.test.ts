import { describe, test } from "vitest";
import { fromLanguageModel } from "../../../src/models/language-model/from-language-model.ts";
import { modelContract } from "../../../src/testing/model-contract/contract.ts";
import type {
  ContractSetup,
  ContractStep,
  ContractTurn,
  SeenMessage,
} from "../../../src/testing/model-contract/setup.ts";
import { createScript } from "../../../src/testing/wire-server/script.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import {
  callError,
  type FakeAnswer,
  fakeModel,
  finish,
  type Part,
  reasoning,
  text,
  toolCall,
} from "../language-model/fake-model.ts";

function partsOf({ thinking, text: words, calls = [], cut }: ContractTurn): Part[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "r1", modelId: "fake-1" },
    ...(thinking === undefined ? [] : reasoning(thinking, { fake: { signature: "c2ln" } })),
    ...(words === undefined ? [] : text(words)),
    ...calls.flatMap(({ id, name, input }, index) => toolCall(id ?? `call${index}`, name, input)),
    finish(cut === true ? "length" : calls.length > 0 ? "tool-calls" : "stop"),
  ];
}

const told = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, code },
});

function answerOf(step: ContractStep): FakeAnswer {
  const { fault } = step;
  if (fault === undefined) {
    return { parts: partsOf(step), ...(step.delayMs === undefined ? {} : { delayMs: step.delayMs }) };
  }
  switch (fault.type) {
    case "cut":
      return { parts: partsOf(fault.turn).slice(0, fault.afterEvents + 1) };
    case "stream_error": {
      const error = { type: "overloaded_error", message: "Overloaded" };
      return { parts: [...partsOf(fault.turn).slice(0, fault.afterEvents + 1), { type: "error", error }] };
    }
    case "rate_limited": {
      const responseHeaders: Record<string, string> =
        fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      return { rejects: callError(429, told("slow down", "rate_limit_error"), { responseHeaders }) };
    }
    case "spend_limit":
      return { rejects: callError(429, told("no money left", "insufficient_quota", "insufficient_quota")) };
    case "overloaded":
      return { rejects: callError(529, told("Overloaded", "overloaded_error")) };
    case "unauthorized":
      return { rejects: callError(401, told("invalid key", "authentication_error")) };
    case "refused":
      return { rejects: callError(fault.status, told(fault.message, fault.kind)) };
    case "html":
      return {
        rejects: callError(
          fault.status,
          "<html>\n<head><title>Request refused</title></head>\n<body>proxy</body></html>",
        ),
      };
    default:
      return { rejects: callError(undefined, "") };
  }
}

interface WirePart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly output?: { readonly type: string; readonly value: string };
}

function read({ role, content }: { role: string; content: string | readonly WirePart[] }): SeenMessage[] {
  if (role === "system" || typeof content === "string") return [];
  const words = content.map((part) => part.text ?? "").join("");
  if (role === "tool") {
    return content.map(({ toolCallId = "", output }) => ({
      role: "result",
      callId: toolCallId,
      text: output?.value ?? "",
      images: 0,
      isError: output?.type === "error-text",
    }));
  }
  if (role === "assistant") {
    const callIds = content.flatMap(({ type, toolCallId = "" }) =>
      type === "tool-call" ? [toolCallId] : [],
    );
    return [{ role, text: words, callIds }];
  }
  return [{ role: "user", text: words, images: content.filter(({ type }) => type === "file").length }];
}

function setupOf(version: "v3" | "v4"): ContractSetup {
  return {
    // The bridge does not know where the key came from.
    keyVariable: "the key that the model object was made with",
    errorsAsText: true,
    async start({ steps, maxRetries, clock }) {
      const script = createScript<null, ContractStep>(steps);
      const fake = fakeModel(steps.map(answerOf), version);
      const requests: SimulatedRequest[] = [];
      const model = fromLanguageModel(
        {
          ...fake,
          doStream(call) {
            const { abortSignal: _, ...body } = call;
            script.next(null);
            requests.push({
              headers: {},
              body: { ...body },
              text: JSON.stringify(body),
              path: "",
              status: 200,
            });
            return fake.doStream(call);
          },
        },
        { maxRetries, clock },
      );
      return { model, requests, assertDone: script.assertDone, close: async () => {} };
    },
    read: ({ body }) => (body.prompt as Parameters<typeof read>[0][]).flatMap(read),
  };
}

/** The bridge is not given the key: the host's list of secrets is what keeps it out of events. */
const notKnown = "the key is in no message, whatever the API says";

describe.each(["v3", "v4"] as const)("a model object of version %s", (version) => {
  const behaviours = modelContract(setupOf(version)).filter(({ name }) => name !== notKnown);
  test.each(behaviours)("$name", ({ run }) => run());
});
