import { toHostError } from "../errors.ts";
import type { ConversationGrants, GrowingReads } from "../types/consent.ts";
import type { Emit, RunResult, Stop } from "../types/events.ts";
import type { AssistantMessage, Message, UserMessage } from "../types/message.ts";
import type { Clock, Connections, LoopPorts } from "../types/ports.ts";
import { noUsage } from "../util/usage.ts";
import { type LoopEnd, runLoop } from "./run.ts";

export interface RunSetup {
  readonly runId: string;
  readonly principal: string;
  /** Reads what the person says; throws a HostError when it cannot be sent. */
  readonly input: () => UserMessage;
  readonly system: string;
  /** What goes behind the system prompt, asked for once the servers are ready; empty for nothing. */
  readonly notes?: () => string;
  readonly maxTokens: number;
  readonly callsPerTurn: number;
  readonly grants: ConversationGrants;
  readonly reads: GrowingReads;
  readonly signal: AbortSignal;
  /** Why the signal fired, when it was not the caller's doing: a time limit. */
  readonly abortedBy?: () => Stop | null;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly connections: Pick<Connections, "ready" | "status" | "onStatus" | "onLog">;
  /** What the operator should know before anything happens, as sentences. */
  readonly warnings: readonly string[];
  /** The transcript so far, also when the ports could not be made. */
  readonly messages: readonly Message[];
  /** Makes the run's own parts, while the servers start. */
  readonly ports: () => Promise<LoopPorts>;
}

/** One run from its first event to its last: waits for the servers, runs the loop, records both ends. Never rejects. */
export async function performRun(setup: RunSetup): Promise<RunResult> {
  const { runId, emit, clock, connections, signal } = setup;
  const startedAt = clock.now();
  for (const text of setup.warnings) emit({ type: "warning", code: "policy", text });
  for (const status of connections.status()) emit({ type: "server_status", ...status });
  const stopListening = connections.onStatus((status) => emit({ type: "server_status", ...status }));
  const stopReading = connections.onLog?.((log) => emit({ type: "server_log", ...log }));
  const opening = openPorts(setup);
  let ports: LoopPorts | null = null;
  let unasked = 0;
  let end: LoopEnd;
  try {
    await connections.ready(signal);
    ports = await opening;
    const snapshot = await ports.catalog.snapshot(signal);
    const leftOut = ports.model.leftOut?.(snapshot) ?? [];
    const quarantined = [...snapshot.quarantined, ...leftOut];
    const behind = ports.model.behindSearch?.(snapshot, ports.transcript.messages) ?? null;
    const offered = behind === null ? null : new Set(behind.offered);
    emit({
      type: "catalog_ready",
      tools:
        offered === null
          ? snapshot.tools.length - leftOut.length
          : snapshot.tools.filter((tool) => offered.has(tool)).length,
      quarantined,
      ...(behind === null ? {} : { behindSearch: { tools: behind.tools.length, reason: behind.reason } }),
      ...(snapshot.warnings === undefined ? {} : { warnings: snapshot.warnings }),
    });
    end = await loop(setup, ports, () => {
      unasked += 1;
    });
  } catch (thrown) {
    end = { stop: stopOf(thrown, signal), message: null };
  } finally {
    stopListening();
    stopReading?.();
  }
  if (end.stop.type === "aborted") end = { ...end, stop: setup.abortedBy?.() ?? end.stop };
  end = await recordEnd(opening, end, setup);
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
    cost: ports?.budget.cost ?? { usd: 0, unpriced: 0 },
    ms: Math.round(clock.now() - startedAt),
  };
  emit({ type: "run_completed", result });
  return result;
}

/** Makes the run's parts and opens its logs while the servers start: both are needed before anything happens. */
function openPorts(setup: RunSetup): Promise<LoopPorts> {
  const opening = setup.ports().then(async (ports) => {
    await ports.recorder.started(setup.runId, ports.model, setup.system);
    return ports;
  });
  // Told once the servers are ready: a server that cannot be used is the first thing to know.
  opening.catch(() => {});
  return opening;
}

/** Records the end. An answer that could not be recorded is still given, with the failure as the reason to stop. */
async function recordEnd(opening: Promise<LoopPorts>, end: LoopEnd, setup: RunSetup): Promise<LoopEnd> {
  try {
    const { recorder, budget } = await opening;
    await recorder.ended(setup.runId, end.stop, budget.turns, budget.usage);
    return end;
  } catch (thrown) {
    if (end.stop.type !== "answered") return end;
    const { code, message } = toHostError(thrown);
    return { stop: { type: "failed", error: { code, message } }, message: end.message };
  }
}

function loop(setup: RunSetup, ports: LoopPorts, onUnasked: () => void): Promise<LoopEnd> {
  const { runId, principal, grants, reads, signal, emit, system, maxTokens, callsPerTurn } = setup;
  const batch = {
    runId,
    turn: 0,
    principal,
    grants,
    reads,
    signal,
    emit,
    origin: "model",
    callsPerTurn,
    onUnasked,
  } as const;
  const notes = setup.notes?.() ?? "";
  const whole = notes === "" ? system : [system, notes].filter((text) => text !== "").join("\n\n");
  return runLoop(setup.input(), { runId, system: whole, maxTokens, batch, emit, signal }, ports);
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
