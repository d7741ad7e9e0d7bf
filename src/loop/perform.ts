import { toHostError } from "../errors.ts";
import type { Emit, RunResult, Stop } from "../types/events.ts";
import type { AssistantMessage, Message, UserMessage } from "../types/message.ts";
import type { Clock, Connections, ConversationGrants, LoopPorts } from "../types/ports.ts";
import { type LoopEnd, runLoop } from "./run.ts";

export interface RunSetup {
  readonly runId: string;
  readonly principal: string;
  readonly input: UserMessage;
  readonly system: string;
  readonly maxTokens: number;
  readonly callsPerTurn: number;
  readonly grants: ConversationGrants;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly connections: Pick<Connections, "ready" | "status" | "onStatus">;
  /** The transcript so far, also when the ports could not be made. */
  readonly messages: readonly Message[];
  /** Makes the run's own parts once the servers are ready. */
  readonly ports: () => Promise<LoopPorts>;
}

/** One run from its first event to its last: waits for the servers, runs the loop, records both ends. Never rejects. */
export async function performRun(setup: RunSetup): Promise<RunResult> {
  const { runId, emit, clock, connections, signal } = setup;
  const startedAt = clock.now();
  for (const status of connections.status()) emit({ type: "server_status", ...status });
  const stopListening = connections.onStatus((status) => emit({ type: "server_status", ...status }));
  let ports: LoopPorts | null = null;
  let unasked = 0;
  let end: LoopEnd | null = null;
  try {
    await connections.ready(signal);
    ports = await setup.ports();
    const { tools, quarantined } = await ports.catalog.snapshot(signal);
    emit({ type: "catalog_ready", tools: tools.length, quarantined });
    await ports.recorder.started(runId, ports.model, setup.system);
    end = await loop(setup, ports, () => {
      unasked += 1;
    });
    await ports.recorder.ended(runId, end.stop, ports.budget.turns, ports.budget.usage);
  } catch (thrown) {
    // An answer that could not be recorded is still given, with the failure as the reason to stop.
    end = { stop: stopOf(thrown, signal), message: end?.message ?? null };
  } finally {
    stopListening();
  }
  const result: RunResult = {
    runId,
    stop: end.stop,
    text: textOf(end.message),
    message: end.message,
    messages: [...setup.messages],
    turns: ports?.budget.turns ?? 0,
    calls: ports?.budget.calls ?? 0,
    unasked,
    usage: ports?.budget.usage ?? noUsage,
    ms: Math.round(clock.now() - startedAt),
  };
  emit({ type: "run_completed", result });
  return result;
}

function loop(setup: RunSetup, ports: LoopPorts, onUnasked: () => void): Promise<LoopEnd> {
  const { runId, principal, grants, signal, emit, system, maxTokens, callsPerTurn } = setup;
  const batch = {
    runId,
    turn: 0,
    principal,
    grants,
    signal,
    emit,
    origin: "model",
    callsPerTurn,
    onUnasked,
  } as const;
  return runLoop(setup.input, { runId, system, maxTokens, batch, emit, signal }, ports);
}

function stopOf(thrown: unknown, signal: AbortSignal): Stop {
  if (signal.aborted) return { type: "aborted" };
  const { code, message } = toHostError(thrown);
  return { type: "failed", error: { code, message } };
}

/** The text blocks joined with a line break. */
function textOf(message: AssistantMessage | null): string {
  const texts = message?.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts?.join("\n") ?? "";
}

const noUsage = { requests: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
