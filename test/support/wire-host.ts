import { createHost } from "../../src/host.ts";
import {
  type SimulatedRequest,
  type SimulatedStep,
  startAnthropicSimulator,
} from "../../src/testing/index.ts";
import type { ServerConfig } from "../../src/types/config.ts";
import type { RunResult } from "../../src/types/events.ts";
import { modelAt } from "../models/anthropic/start.ts";

/** A request as the Messages API gets it, as far as tests look into it. */
export interface WireRequest {
  readonly tools: readonly Record<string, unknown>[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly Record<string, unknown>[];
  }[];
}

/** Runs one question with the Messages API's adapter against its strict stand-in, and gives the bodies it was sent. */
export async function runOnWire(
  turns: readonly SimulatedStep[],
  servers: Readonly<Record<string, { readonly config: ServerConfig }>>,
): Promise<{ readonly bodies: readonly WireRequest[]; readonly result: RunResult }> {
  const simulator = await startAnthropicSimulator({ turns });
  try {
    await using host = createHost({
      servers: Object.fromEntries(Object.entries(servers).map(([id, server]) => [id, server.config])),
      model: modelAt(simulator.url),
      policy: { rules: ["allow */*"] },
      state: false,
      audit: false,
    });
    const result = await host.run("go").result;
    return { bodies: simulator.requests.map(bodyOf), result };
  } finally {
    await simulator.close();
  }
}

function bodyOf(request: SimulatedRequest): WireRequest {
  return JSON.parse(request.text) as WireRequest;
}
