import type { Emit } from "../types/events.ts";
import type { ToolCallBlock } from "../types/message.ts";
import type { ApprovedCall, CallOutcome, ResolvedCall, Verdict } from "../types/outcome.ts";
import type { SettledCall } from "../types/ports.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import type { BatchContext, BatchPorts } from "./call.ts";

export type Rejected = Extract<ResolvedCall, { type: "rejected" }>;

/** How often one call is decided: a server that changes a tool again and again does not get a person to answer for ever. */
const decisionsAtMost = 3;

/**
 * Runs one call once it is decided. What was decided about may have changed before it is sent: then the call is read and
 * decided again, as the tool is now, and is refused when it still does not hold.
 */
export async function settle(
  block: ToolCallBlock | undefined,
  proposed: ToolCall,
  deciding: Promise<Verdict> | undefined,
  ports: BatchPorts,
  context: BatchContext,
): Promise<SettledCall> {
  let call = proposed;
  let verdict = await deciding;
  for (let decisions = 1; ; decisions += 1) {
    if (verdict === undefined) return refused(call, "Not run: it was not decided.");
    tellDecision(call, verdict, context.turn, context.emit);
    if (verdict.type === "denied") {
      if (verdict.decision.unasked) context.onUnasked();
      ports.recorder.denied(verdict, context);
      return refused(call, verdict.decision.reason);
    }
    const outcome = await execute(verdict.approved, ports, context);
    const again =
      block !== undefined && decisions < decisionsAtMost && isStale(outcome, context)
        ? await resolveAgain(block, call, outcome.message.replace(/^Not run: /, ""), ports, context)
        : null;
    if (again === null) {
      tellOutcome(call, outcome, context);
      return { callId: call.id, tool: call.tool, outcome };
    }
    if (again.type === "rejected") return reject(again, ports, context);
    call = again.call;
    verdict = await ports.consent.decide([call], context)[0];
  }
}

async function execute(
  approved: ApprovedCall,
  ports: BatchPorts,
  context: BatchContext,
): Promise<CallOutcome> {
  const { runId, turn, signal, emit, grants } = context;
  // What the server said while a person was thinking counts; whether the run was aborted is asked by the executor.
  await ports.catalog.refresh?.(approved.call.tool.route, signal)?.catch(() => {});
  const current = ports.catalog.current;
  return ports.executor.execute(approved, { runId, turn, signal, emit, current, grants });
}

/** Whether the call did not run because its decision no longer held. A run that was aborted decides nothing again. */
function isStale(
  outcome: CallOutcome,
  { signal }: BatchContext,
): outcome is Extract<CallOutcome, { type: "failed" }> {
  if (signal.aborted || outcome.type !== "failed") return false;
  return outcome.code === "call_unstamped" && outcome.executed === "no";
}

/** The call as its tool is now; null when the tool is gone. */
async function resolveAgain(
  block: ToolCallBlock,
  { tool: before }: ToolCall,
  reason: string,
  ports: BatchPorts,
  { emit }: BatchContext,
): Promise<ResolvedCall | null> {
  const tool = ports.catalog.current(before.route);
  if (tool?.listed !== true) return null;
  const { server, tool: name } = before.route;
  emit({ type: "warning", code: "call_decided_again", text: `${server}/${name}: ${reason}` });
  const keptBack = ports.catalog.keptBack?.(tool) ?? null;
  if (keptBack !== null) return keptFrom(block, tool, keptBack);
  const byAlias = new Map([[tool.alias, tool]]);
  const again = await ports.resolver.resolve(block, { version: 0, tools: [tool], byAlias, quarantined: [] });
  if (again.type === "rejected") return again;
  const warnings = [...again.call.warnings, reason];
  return { type: "call", call: Object.freeze({ ...again.call, warnings }) };
}

function keptFrom({ id, input }: ToolCallBlock, tool: CatalogTool, reason: string): Rejected {
  const { alias } = tool;
  const message = `Not run: the tool ${alias} is kept back now: ${reason}.`;
  return {
    type: "rejected",
    callId: id,
    name: alias,
    input,
    tool,
    rejected: { code: "call_unknown_tool", message },
  };
}

function tellOutcome(call: ToolCall, outcome: CallOutcome, { turn, emit, reads }: BatchContext): void {
  const { ms, attempts } = outcome;
  // The message of a failure may hold the server's words too, unless the call never came near it.
  const labels = outcome.type === "answered" || attempts > 0 ? reads?.take(call.tool, turn) : null;
  const labelled = labels ? { labels } : {};
  const ended = { type: "call_completed", turn, callId: call.id, ms, attempts, ...labelled } as const;
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

export function reject(entry: Rejected, ports: BatchPorts, context: BatchContext): SettledCall {
  const { callId, name: alias, rejected: error } = entry;
  context.emit({ type: "call_rejected", turn: context.turn, callId, alias, error });
  ports.recorder.rejected(entry, context.runId, context.turn);
  return { callId, tool: null, outcome: { type: "refused", message: error.message } };
}
