import type { ConsentContext } from "../types/consent.ts";
import type { Emit } from "../types/events.ts";
import type { ToolCallBlock } from "../types/message.ts";
import type { CallOutcome, ResolvedCall, Verdict } from "../types/outcome.ts";
import type { LoopPorts, MappedTurn, SettledCall } from "../types/ports.ts";
import type { ToolCall, ToolSnapshot } from "../types/tool.ts";

/** What all batches of a run share. */
export interface BatchContext extends ConsentContext {
  readonly callsPerTurn: number;
  /** Called for each call that was denied because nobody could be asked. */
  readonly onUnasked: () => void;
}

export type BatchPorts = Pick<
  LoopPorts,
  "resolver" | "consent" | "executor" | "results" | "recorder" | "catalog" | "budget"
>;

/**
 * One turn's calls, from proposals to results: resolve → decide → execute → map. Calls that need no question start at
 * once, all run together, and the results come back in call order. Never rejects for the fault of one call.
 */
export async function runBatch(
  blocks: readonly ToolCallBlock[],
  snapshot: ToolSnapshot,
  ports: BatchPorts,
  context: BatchContext,
): Promise<MappedTurn> {
  const allowed = ports.budget.takeCalls(Math.min(blocks.length, context.callsPerTurn));
  const resolved = await Promise.all(
    blocks.map((block, index) =>
      index < allowed ? ports.resolver.resolve(block, snapshot) : overLimit(block, allowed),
    ),
  );
  const calls = resolved.flatMap((entry) => (entry.type === "call" ? [entry.call] : []));
  for (const call of calls) propose(call, context);
  const verdicts = ports.consent.decide(calls, context);
  let decided = 0;
  const settled = await Promise.all(
    resolved.map((entry) =>
      entry.type === "rejected"
        ? reject(entry, ports, context)
        : settle(entry.call, verdicts[decided++], ports, context),
    ),
  );
  return returnResults(settled, ports, context);
}

/** Answers calls that were cut off with their turn: none of them is run, because what is left may look complete. */
export function cutCalls(
  blocks: readonly ToolCallBlock[],
  snapshot: ToolSnapshot,
  ports: BatchPorts,
  context: BatchContext,
): Promise<MappedTurn> {
  const message =
    "Not run: your answer was truncated at its token limit, so this call may be incomplete. Send it again, smaller if it is large.";
  const settled = blocks.map((block) => ({
    ...reject(rejected(block, message), ports, context),
    tool: snapshot.byAlias.get(block.name) ?? null,
  }));
  return returnResults(settled, ports, context);
}

type Rejected = Extract<ResolvedCall, { type: "rejected" }>;

function rejected(block: ToolCallBlock, message: string): Rejected {
  return {
    type: "rejected",
    callId: block.id,
    name: block.name,
    input: block.input,
    rejected: { code: "call_invalid", message },
  };
}

function overLimit(block: ToolCallBlock, allowed: number): Rejected {
  return rejected(
    block,
    `Not run: at most ${allowed} calls may run in this turn. Send it again if it is still needed.`,
  );
}

function propose(call: ToolCall, context: BatchContext): void {
  const { alias, route } = call.tool;
  const { turn } = context;
  context.emit({ type: "call_proposed", turn, callId: call.id, alias, arguments: call.arguments, ...route });
}

/** Runs one call once it is decided. */
async function settle(
  call: ToolCall,
  deciding: Promise<Verdict> | undefined,
  ports: BatchPorts,
  context: BatchContext,
): Promise<SettledCall> {
  const verdict = await deciding;
  if (verdict === undefined) return refused(call, "Not run: it was not decided.");
  tellDecision(call, verdict, context.turn, context.emit);
  if (verdict.type === "denied") {
    if (verdict.decision.unasked) context.onUnasked();
    ports.recorder.denied(verdict, context);
    return refused(call, verdict.decision.reason);
  }
  const { runId, turn, signal, emit, grants } = context;
  const current = ports.catalog.current;
  const place = { runId, turn, signal, emit, current, grants };
  const outcome = await ports.executor.execute(verdict.approved, place);
  tellOutcome(call, outcome, context);
  return { callId: call.id, tool: call.tool, outcome };
}

function tellOutcome(call: ToolCall, outcome: CallOutcome, { turn, emit }: BatchContext): void {
  const { ms, attempts } = outcome;
  const ended = { type: "call_completed", turn, callId: call.id, ms, attempts } as const;
  if (outcome.type === "answered") emit({ ...ended, isError: outcome.reply.isError });
  else emit({ ...ended, isError: true, error: { code: outcome.code, message: outcome.message } });
}

function refused(call: ToolCall, message: string): SettledCall {
  return { callId: call.id, tool: call.tool, outcome: { type: "refused", message } };
}

function tellDecision(call: ToolCall, verdict: Verdict, turn: number, emit: Emit): void {
  const decision = verdict.type === "approved" ? verdict.approved.decision : verdict.decision;
  emit({
    type: "call_decided",
    turn,
    callId: call.id,
    decision: decision.type,
    by: decision.by,
    reason: decision.reason,
    warnings: decision.type === "allow" ? decision.warnings : [],
    unasked: decision.type === "deny" && decision.unasked,
    ...(decision.type === "deny" && decision.rule !== undefined ? { suggestedRule: decision.rule } : {}),
  });
}

function reject(entry: Rejected, ports: BatchPorts, context: BatchContext): SettledCall {
  const { callId, name: alias, rejected: error } = entry;
  context.emit({ type: "call_rejected", turn: context.turn, callId, alias, error });
  ports.recorder.rejected(entry, context.runId, context.turn);
  return { callId, tool: null, outcome: { type: "refused", message: error.message } };
}

async function returnResults(
  settled: readonly SettledCall[],
  ports: BatchPorts,
  context: BatchContext,
): Promise<MappedTurn> {
  const mapped = await ports.results.map(settled, context.runId);
  const results = mapped.results.map(({ block, keptBytes, cutBytes }) => ({
    callId: block.callId,
    isError: block.isError,
    bytes: keptBytes,
    cutBytes,
  }));
  context.emit({ type: "results_returned", turn: context.turn, results });
  ports.recorder.returned(mapped, context.runId, context.turn);
  return mapped;
}
