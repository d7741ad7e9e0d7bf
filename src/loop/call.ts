import type { ConsentContext, GrowingReads } from "../types/consent.ts";
import type { ToolCallBlock } from "../types/message.ts";
import type { LoopPorts, MappedTurn, SettledCall } from "../types/ports.ts";
import type { ToolCall, ToolSnapshot } from "../types/tool.ts";
import { type Rejected, reject, settle } from "./settle.ts";

/** What all batches of a run share. */
export interface BatchContext extends ConsentContext {
  /** Takes what calls bring. Default: nothing is labelled. */
  readonly reads?: GrowingReads;
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
    resolved.map((entry, index) =>
      entry.type === "rejected"
        ? reject(entry, ports, context)
        : settle(blocks[index], entry.call, verdicts[decided++], ports, context),
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
