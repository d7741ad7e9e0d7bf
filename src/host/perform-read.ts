import type { ConversationCatalog } from "../catalog/catalog.ts";
import { HostError } from "../errors.ts";
import { createConversationMessages } from "../transcript/transcript.ts";
import type { JsonObject } from "../types/json.ts";
import type { CallReply } from "../types/outcome.ts";
import type { LoopPorts, MappedTurn, ServerCall } from "../types/ports.ts";
import type { CatalogTool, ReadMethod, ToolCall } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";
import { randomId } from "../util/random-id.ts";
import type { HostParts } from "./parts.ts";
import { readToolOf } from "./read-tools.ts";
import { runPorts } from "./run-ports.ts";

/** A read that a person asked for. */
export interface Read {
  readonly server: string;
  readonly method: ReadMethod;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  send(call: ServerCall): Promise<CallReply>;
  /** Makes of the reply what a model gets. */
  map(reply: CallReply, runId: string): Promise<MappedTurn>;
}

/** What a read gave, and the tool that it is recorded as. */
interface MappedRead extends MappedTurn {
  readonly tool: CatalogTool;
}

const callId = "call_1";

/**
 * Carries a read out through the stages of a call: decided, recorded before it is sent and after it was answered,
 * bounded in time and number. Rejects with `call_denied`, or with the code of how it failed.
 */
export async function performRead(parts: HostParts, read: Read): Promise<MappedRead> {
  const tool = await toolOf(parts, read);
  const runId = randomId("read");
  const catalog: ConversationCatalog = {
    snapshot: () => Promise.reject(new Error("no tools")),
    current: () => tool,
    latest: () => null,
  };
  const transcript = createConversationMessages().forRun(runId, null);
  const ports = await runPorts({ ...parts, call: read.send }, { catalog, transcript, turns: 1 });
  const reply = await carryOut(callOf(tool, read), ports, { runId, parts, signal: read.signal });
  const mapped = await read.map(reply, runId);
  ports.recorder.returned(asOne(mapped), runId, 1);
  return { ...mapped, tool };
}

/** The host knows the blocks again when they come back in the input of a run. */
export function noteBrought(
  { brought, labelsOf }: HostParts,
  tool: CatalogTool,
  blocks: readonly object[],
): void {
  const labels = labelsOf(tool);
  if (labels === null) return;
  for (const block of blocks) brought.set(block, { from: tool.route, labels });
}

/** Waits for the server; a rule that hides the read makes it unknown. */
async function toolOf(parts: HostParts, { server, method, signal }: Read): Promise<CatalogTool> {
  const { connections, consent } = parts;
  await connections.offers(server)?.ready(signal);
  const list = connections.current().find((candidate) => candidate.server === server);
  if (list === undefined) {
    throw new HostError("call_not_sent", `Server "${server}" is not running, so nothing was read.`);
  }
  if (consent.hidden({ server, tool: method })) {
    throw new HostError("call_denied", `A rule hides ${method} of server "${server}".`);
  }
  return readToolOf(list, method);
}

function callOf(tool: CatalogTool, { arguments: args }: Read): ToolCall {
  const argumentsJson = JSON.stringify(args);
  return { id: callId, tool, arguments: deepFreeze(args), argumentsJson, warnings: [] };
}

interface Reading {
  readonly runId: string;
  readonly parts: HostParts;
  readonly signal: AbortSignal;
}

async function carryOut(
  call: ToolCall,
  { consent, executor, recorder, catalog }: LoopPorts,
  { runId, parts, signal }: Reading,
): Promise<CallReply> {
  const place = { runId, turn: 1, signal, emit: () => {} };
  const context = {
    ...place,
    principal: parts.principal,
    grants: { answers: new Map() },
    origin: "direct" as const,
  };
  const [deciding] = consent.decide([call], context);
  const verdict = await deciding;
  if (verdict?.type !== "approved") {
    if (verdict !== undefined) recorder.denied(verdict, context);
    throw new HostError("call_denied", verdict?.decision.reason ?? "Not read: it was not decided.");
  }
  const outcome = await executor.execute(verdict.approved, { ...place, current: catalog.current });
  if (outcome.type === "answered") return outcome.reply;
  const { code, message, executed } = outcome;
  throw new HostError(code, message, { data: { executed, server: call.tool.route.server } });
}

/** The record names calls, and all of it is the answer to one. */
function asOne({ results, trailing }: MappedTurn): MappedTurn {
  const sum = (bytes: "keptBytes" | "cutBytes") => results.reduce((all, result) => all + result[bytes], 0);
  const block = { type: "tool_result", callId, content: [], isError: false } as const;
  return { results: [{ block, keptBytes: sum("keptBytes"), cutBytes: sum("cutBytes") }], trailing };
}
