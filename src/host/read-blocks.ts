import { createSchemaValidator } from "../calls/schema-validator.ts";
import { notKept } from "../results/aside.ts";
import { createResultMapper } from "../results/mapper.ts";
import type { CallReply } from "../types/outcome.ts";
import type { MappedTurn } from "../types/ports.ts";
import type { HostParts } from "./parts.ts";

/** 256 KiB of text. */
export const defaultReadTokens = 65_536;

/**
 * What a model gets of replies that no run asked for, as that of tool results: everything else stays behind, because
 * the ids of kept outputs are valid in their run only.
 */
export function mapReplies(
  { limits, stores, secrets }: HostParts,
  replies: readonly CallReply[],
  tokens: number,
): Promise<MappedTurn> {
  const mapper = createResultMapper({
    limits: { ...limits, outputTokensPerResult: tokens, outputTokensPerTurn: tokens },
    spill: stores.spill,
    validator: createSchemaValidator(),
    redact: (text) => secrets.redact(text),
    keep: notKept,
  });
  const settled = replies.map((reply, index) => ({
    callId: String(index),
    tool: null,
    outcome: { type: "answered", reply, attempts: 1, ms: 0 } as const,
  }));
  return mapper.map(settled, "");
}
