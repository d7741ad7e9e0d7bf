import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createOpenAiChatModel } from "../../../src/models/openai-chat/model.ts";
import type { ChatApiName } from "../../../src/models/openai-chat/profile.ts";
import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import type { ChatServerKind } from "../../../src/testing/openai-chat/server-kind.ts";
import {
  type OpenAiChatSimulatorOptions,
  startOpenAiChatSimulator,
} from "../../../src/testing/openai-chat/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";

export const chatApis = Object.keys(chatProfiles) as ChatApiName[];

/** The simulated server of an API. */
export function kindOf(api: ChatApiName): ChatServerKind {
  return api === "openai-chat" ? "openai" : api;
}

const open: Simulator[] = [];

/** Closes what `startChat` started. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
}

/** A simulator of an API and a model that asks it. */
export async function startChat(
  api: ChatApiName,
  options: Omit<OpenAiChatSimulatorOptions, "kind">,
  apiKey = "sk-test-0123456789",
): Promise<{ simulator: Simulator; model: Model }> {
  const simulator = await startOpenAiChatSimulator({ ...options, kind: kindOf(api) });
  open.push(simulator);
  const model = createOpenAiChatModel({
    name: "some-model",
    profile: chatProfiles[api],
    apiKey,
    baseUrl: `${simulator.url}/v1`,
    fetch: createKeepAliveFetch(),
    maxRetries: 0,
    retryDeadlineMs: 60_000,
    clock: systemClock,
  });
  return { simulator, model };
}
