import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createGeminiModel } from "../../../src/models/gemini/model.ts";
import { type GeminiSimulatorOptions, startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import { systemClock } from "../../../src/util/clock.ts";

const open: Simulator[] = [];

/** Closes what `startModel` started. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
}

export interface StartSettings {
  readonly name?: string;
  readonly maxRetries?: number;
}

/** A simulator and a model that asks it. */
export async function startModel(
  options: GeminiSimulatorOptions,
  settings: StartSettings = {},
): Promise<{ simulator: Simulator; model: Model }> {
  const simulator = await startGeminiSimulator(options);
  open.push(simulator);
  return { simulator, model: modelAt(simulator.url, settings) };
}

export function modelAt(
  baseUrl: string,
  { name = "gemini-3-pro", maxRetries = 0 }: StartSettings = {},
): Model {
  return createGeminiModel({
    name,
    apiKey: "AIza-test-0123456789",
    baseUrl,
    fetch: createKeepAliveFetch(),
    maxRetries,
    retryDeadlineMs: 60_000,
    clock: systemClock,
  });
}
