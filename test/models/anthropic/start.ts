import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createAnthropicModel } from "../../../src/models/anthropic/model.ts";
import {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  startAnthropicSimulator,
} from "../../../src/testing/anthropic/simulator.ts";
import type { Model } from "../../../src/types/model.ts";
import type { Clock } from "../../../src/types/ports.ts";
import { systemClock } from "../../../src/util/clock.ts";

const open: AnthropicSimulator[] = [];

/** Closes what `startModel` started. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
}

/** A simulator and a model that asks it. */
export async function startModel(
  options: AnthropicSimulatorOptions,
  settings: { clock?: Clock; maxRetries?: number; retryDeadlineMs?: number; name?: string } = {},
): Promise<{ simulator: AnthropicSimulator; model: Model }> {
  const simulator = await startAnthropicSimulator(options);
  open.push(simulator);
  return { simulator, model: modelAt(simulator.url, settings) };
}

/** A model that asks a base URL. */
export function modelAt(baseUrl: string, settings: Parameters<typeof startModel>[1] = {}): Model {
  return createAnthropicModel({
    name: settings.name ?? "claude-opus-5",
    apiKey: "sk-test-0123456789",
    baseUrl,
    fetch: createKeepAliveFetch(),
    maxRetries: settings.maxRetries ?? 0,
    retryDeadlineMs: settings.retryDeadlineMs ?? 60_000,
    clock: settings.clock ?? systemClock,
  });
}
