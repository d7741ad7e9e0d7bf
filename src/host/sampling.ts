import type { HostConsent } from "../consent/consent.ts";
import { HostError, toHostError } from "../errors.ts";
import { readImage } from "../results/image.ts";
import type { JsonObject } from "../types/json.ts";
import type { ImageBlock, Message, TextBlock } from "../types/message.ts";
import type { Model, ModelResponse } from "../types/model.ts";
import type { Verdict } from "../types/outcome.ts";
import type { Budget, Clock, ExecutionContext } from "../types/ports.ts";
import type {
  AskedBy,
  InputAnswerer,
  InputRecorder,
  SamplingAnswer,
  SamplingAsked,
} from "../types/server-input.ts";
import type { CatalogTool, ServerToolList, ToolCall, ToolSnapshot } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";
import { sha256Hex } from "../util/hash.ts";
import { randomId } from "../util/random-id.ts";
import { noUsage } from "../util/usage.ts";

export interface SamplingSettings {
  readonly model: Model;
  /** Most tokens of one answer, whatever the server wants. */
  readonly maxTokens: number;
  readonly consent: HostConsent;
  readonly budget: Budget;
  readonly recorder: InputRecorder;
  readonly principal: string;
  readonly clock: Clock;
  readonly lists: () => readonly ServerToolList[];
}

/** How rules and grants name a server's request to the model, as if it were a tool. */
export const samplingName = "sampling/createMessage";

/**
 * Lets a server ask the run's model (MCP sampling), if consent allows that very prompt: without tools, so that it ends
 * there, and on the run's budget.
 */
export function createSampling(settings: SamplingSettings): InputAnswerer["sample"] {
  const { recorder, maxTokens: most, clock } = settings;
  return async (wanted, by, context) => {
    const { turn, emit } = context;
    const asked = { ...wanted, maxTokens: Math.min(wanted.maxTokens, most) };
    const messages = readMessages(asked);
    const id = randomId("sampling");
    const { server, calls } = by;
    const place = { turn, samplingId: id, server };
    emit({
      ...{ type: "sampling_requested", ...place, callIds: calls.map(({ callId }) => callId) },
      ...{ messages: messages.length, maxTokens: asked.maxTokens },
    });
    const verdict = await decide(id, asked, by, context, settings);
    await recorder.samplingDecided(id, asked, verdict, by, context);
    if (verdict.type === "denied") {
      const { reason } = verdict.decision;
      emit({ type: "sampling_answered", ...place, outcome: "denied", reason });
      throw new HostError("call_denied", "the model was not allowed to be asked.");
    }
    const startedAt = clock.now();
    const model = `${settings.model.api}/${settings.model.name}`;
    const ms = () => Math.round(clock.now() - startedAt);
    try {
      const response = await askModel(asked, messages, by.signal, settings);
      const { usage } = response;
      recorder.samplingAnswered(id, { model, usage, ms: ms() }, by, context);
      emit({
        type: "sampling_answered",
        ...place,
        outcome: "answered",
        usage,
        cost: settings.budget.cost,
      });
      return answerOf(response, model);
    } catch (thrown) {
      const { code, message } = toHostError(thrown);
      recorder.samplingAnswered(id, { model, code, usage: noUsage, ms: ms() }, by, context);
      emit({ type: "sampling_answered", ...place, outcome: "failed", reason: message });
      throw new HostError(code, "the model gave no answer.", { cause: thrown });
    }
  };
}

/** The model's messages. @throws HostError `input_invalid` for a picture that no model reads */
function readMessages({ messages }: SamplingAsked): readonly Message[] {
  return messages.map(({ role, content }) => {
    const blocks = content.map(readBlock);
    if (role === "user") return { role, content: blocks };
    return { role, content: blocks.filter((block) => block.type === "text") };
  });
}

type Block = SamplingAsked["messages"][number]["content"][number];

function readBlock(block: Block): TextBlock | ImageBlock {
  if (block.type === "text") return block;
  const read = readImage(block.data, block.mimeType);
  if (read.type === "image") return read.image;
  throw new HostError("input_invalid", `a picture cannot be read (${read.reason}).`);
}

/** Decides as about a call of the model, with the whole prompt as the arguments; nothing but a rule or a person allows it. */
async function decide(
  id: string,
  asked: SamplingAsked,
  by: AskedBy,
  { runId, turn, emit, grants = { answers: new Map() } }: ExecutionContext,
  { consent, principal, lists }: SamplingSettings,
): Promise<Verdict> {
  const tool = samplingTool(by.server, lists());
  const args = { system: asked.system, messages: asked.messages, maxTokens: asked.maxTokens };
  const call: ToolCall = {
    id,
    tool,
    arguments: deepFreeze(args) as unknown as JsonObject,
    argumentsJson: JSON.stringify(args),
    warnings: ["The server gets the model's answer, and the run pays for it."],
  };
  const { signal } = by;
  const [verdict] = consent.decide([call], { runId, turn, principal, grants, signal, emit, origin: "model" });
  if (verdict === undefined) throw new HostError("internal", "it was not decided.");
  return verdict;
}

function samplingTool(server: string, lists: readonly ServerToolList[]): CatalogTool {
  const description = "The server asks the model of this run for an answer of its own.";
  const definition = {
    name: samplingName,
    description,
    inputSchema: { type: "object" },
    annotations: {},
  };
  return {
    alias: samplingName,
    route: { server, tool: samplingName },
    definition,
    definitionHash: sha256Hex(JSON.stringify(definition)),
    configHash: lists.find((list) => list.server === server)?.configHash ?? "",
    trusted: false,
    listed: true,
  };
}

const noTools: ToolSnapshot = { version: 0, tools: [], byAlias: new Map(), quarantined: [] };

async function askModel(
  { system, maxTokens }: SamplingAsked,
  messages: readonly Message[],
  signal: AbortSignal,
  { model, budget }: SamplingSettings,
): Promise<ModelResponse> {
  const over = budget.check();
  if (over?.type === "budget" || over?.type === "failed")
    throw new HostError("model_spend_limit", "The budget of the run is spent.");
  for await (const event of model.stream({ system, snapshot: noTools, messages, maxTokens, signal })) {
    if (event.type === "usage") budget.addUsage(event.usage, event.answeredBy);
    if (event.type !== "response") continue;
    budget.addUsage(event.response.usage, event.response.message.native);
    if (event.response.stopReason === "refusal")
      throw new HostError("model_rejected", "The model refused to answer.");
    return event.response;
  }
  throw new HostError("model_bad_response", "The model ended its answer without completing it.");
}

function answerOf({ message, stopReason }: ModelResponse, model: string): SamplingAnswer {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const reasons = { max_tokens: "maxTokens", stop_sequence: "stopSequence" } as const;
  const reason =
    stopReason === "max_tokens" || stopReason === "stop_sequence" ? reasons[stopReason] : "endTurn";
  return { text: texts.join("\n"), model, stopReason: reason };
}
