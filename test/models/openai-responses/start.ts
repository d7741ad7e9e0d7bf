import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import {
  createOpenAiResponsesModel,
  type OpenAiResponsesSettings,
} from "../../../src/models/openai-responses/model.ts";
import {
  type OpenAiResponsesSimulatorOptions,
  startOpenAiResponsesSimulator,
} from "../../../src/testing/openai-responses/simulator.ts";
import type { SimulatedResponseItem } from "../../../src/testing/openai-responses/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";

type ModelOptions = Partial<Pick<OpenAiResponsesSettings, "name" | "maxRetries" | "fetch" | "clock">>;

const open: Simulator[] = [];

/** Closes what `startModel` started. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
}

/** A simulator and a model that asks it. */
export async function startModel(
  options: OpenAiResponsesSimulatorOptions,
  settings: ModelOptions = {},
): Promise<{ simulator: Simulator; model: Model }> {
  const simulator = await startOpenAiResponsesSimulator(options);
  open.push(simulator);
  return { simulator, model: modelAt(`${simulator.url}/v1`, settings) };
}

/** A model that asks a base URL. */
export function modelAt(baseUrl: string, settings: ModelOptions = {}): Model {
  return createOpenAiResponsesModel({
    name: "gpt-5.6",
    apiKey: "sk-test-0123456789",
    baseUrl,
    fetch: createKeepAliveFetch(),
    maxRetries: 0,
    retryDeadlineMs: 60_000,
    clock: systemClock,
    ...settings,
  });
}

export const says = (text: string): SimulatedResponseItem => ({ type: "message", text });

/** A model that is answered with these events, whatever it asks. */
export function modelAnswered(events: readonly object[]): Model {
  const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const headers = { "content-type": "text/event-stream" };
  return modelAt("http://127.0.0.1:1/v1", {
    fetch: () => Promise.resolve(new Response(frames, { headers })),
  });
}
