import { HostError } from "../errors.ts";
import { type BatchContext, runBatch } from "../loop/call.ts";
import { createConversationMessages } from "../transcript/transcript.ts";
import type { CallResult } from "../types/host.ts";
import type { ToolRoute } from "../types/tool.ts";
import { randomId } from "../util/random-id.ts";
import { findTool } from "./find-tool.ts";
import { type HostParts, openCatalog } from "./parts.ts";
import { noteBrought } from "./perform-read.ts";
import { settled } from "./ready.ts";
import { runPorts } from "./run-ports.ts";
import { traceDirectCall } from "./trace-run.ts";

/** Calls one tool as a person asked for it, through the same stages as a call of the model. */
export async function callDirectly(
  parts: HostParts,
  route: ToolRoute,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallResult> {
  await settled(parts, signal, route.server);
  const catalog = openCatalog(parts, null);
  const snapshot = await catalog.snapshot(signal);
  const found = findTool(snapshot, route);
  const runId = randomId("call");
  const transcript = createConversationMessages().forRun(runId, null);
  const ports = await traceDirectCall(
    await runPorts(parts, { catalog, transcript, turns: 1 }),
    parts.telemetry,
  );
  const context: BatchContext = {
    runId,
    turn: 1,
    principal: parts.principal,
    grants: { answers: new Map() },
    signal,
    emit: () => {},
    origin: "direct",
    callsPerTurn: 1,
    onUnasked: () => {},
  };
  const block = { type: "tool_call", id: "call_1", name: found.alias, input: argumentsText(args) } as const;
  const mapped = await runBatch([block], snapshot, ports, context);
  const content = [...mapped.results.flatMap((result) => result.block.content), ...mapped.trailing];
  // A program may put them into a conversation.
  noteBrought(parts, found, content);
  return {
    content,
    isError: mapped.results.some((result) => result.block.isError),
  };
}

/** @throws HostError `input_invalid` */
export function argumentsText(args: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(args);
  } catch (cause) {
    throw new HostError(
      "input_invalid",
      "The arguments of the call cannot be written as JSON; leave out what has no JSON form.",
      { cause },
    );
  }
}
