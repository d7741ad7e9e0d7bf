import { describe, test } from "vitest";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createOpenAiChatModel } from "../../../src/models/openai-chat/model.ts";
import type { ChatApiName } from "../../../src/models/openai-chat/profile.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import { modelContract } from "../../../src/testing/model-contract/contract.ts";
import type { ContractSetup, ContractTurn, SeenMessage } from "../../../src/testing/model-contract/setup.ts";
import type { ChatServerKind } from "../../../src/testing/openai-chat/server-kind.ts";
import { startOpenAiChatSimulator } from "../../../src/testing/openai-chat/simulator.ts";
import type { SimulatedChatTurn } from "../../../src/testing/openai-chat/turns.ts";
import { mapStep } from "./map-step.ts";

function turnOf({ thinking, text, calls, cut, delayMs }: ContractTurn): SimulatedChatTurn {
  return {
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(text === undefined ? {} : { content: text }),
    ...(calls === undefined
      ? {}
      : {
          tool_calls: calls.map(({ id, name, input }) => ({
            ...(id === undefined ? {} : { id }),
            name,
            arguments: input,
          })),
        }),
    ...(cut === true ? { finish_reason: "length" } : {}),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

interface WireMessage {
  readonly role: string;
  readonly content: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

function read({ role, content, tool_call_id, tool_calls = [] }: WireMessage): SeenMessage[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  const text = parts.map((part) => part.text ?? "").join("");
  const images = parts.filter(({ type }) => type === "image_url").length;
  if (role === "tool") return [{ role: "result", callId: tool_call_id ?? "", text, images, isError: false }];
  if (role === "assistant") return [{ role, text, callIds: tool_calls.map(({ id }) => id) }];
  return role === "user" ? [{ role, text, images }] : [];
}

function setupOf(api: ChatApiName): ContractSetup {
  const profile = chatProfiles[api];
  const kind: ChatServerKind = api === "openai-chat" ? "openai" : api;
  return {
    keyVariable: profile.keyVariable,
    errorsAsText: true,
    async start({ steps, maxRetries, clock, apiKey, fragmentBytes }) {
      const turns = steps.map((step) => mapStep(step, turnOf));
      const simulator = await startOpenAiChatSimulator({ kind, turns, fragmentBytes });
      const model = createOpenAiChatModel({
        name: "some-model",
        profile,
        apiKey,
        baseUrl: `${simulator.url}/v1`,
        fetch: createKeepAliveFetch(),
        maxRetries,
        retryDeadlineMs: 60_000,
        clock,
      });
      return { ...simulator, model };
    },
    read: ({ body }) => (body.messages as WireMessage[]).flatMap(read),
  };
}

describe.each(Object.keys(chatProfiles) as ChatApiName[])("%s", (api) => {
  test.each(modelContract(setupOf(api)))("$name", ({ run }) => run());
});
