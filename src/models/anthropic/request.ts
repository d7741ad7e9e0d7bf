import type { ModelRequest } from "../../types/model.ts";
import { createHistoryEncoder, type EncodedMessage } from "../wire/history.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { type CacheDiagnosis, createCacheDiagnosis } from "./cache-diagnosis.ts";
import { closing, encodeMessage, imageLimits } from "./message.ts";
import { withoutOpenServerCalls } from "./open-server-calls.ts";
import { encodeTools } from "./tools.ts";

/** Turns requests into bodies of the Messages API, or of its counter, which takes nothing that is about an answer. */
export type RequestEncoder = (request: ModelRequest, purpose?: "answer" | "count") => EncodedRequest;

const breakpoint = encodeJson(',"cache_control":{"type":"ephemeral"}');

/**
 * An encoder for one model. Every message is serialised once: a turn costs what is new in it, whatever the length of
 * the conversation. Cache breakpoints are on the last tool and on the last block of the two newest user messages, so
 * that a turn with many results still finds the prefix of the turn before.
 */
export function createRequestEncoder(
  model: string,
  diagnosis: CacheDiagnosis = createCacheDiagnosis(),
): RequestEncoder {
  const encodeHistory = createHistoryEncoder({
    encode: (message, gate) => encodeMessage(message, model, gate),
    images: imageLimits,
  });
  return (request, purpose = "answer") => {
    const tools = encodeTools(request.snapshot);
    const { settled, recent, callIds } = encodeHistory(withoutOpenServerCalls(request.messages));
    const messages = settled.concat(withBreakpoints(recent));
    const [first, ...others] = messages;
    const chunks = [
      encodeJson(head(model, purpose === "count" ? null : request.maxTokens)),
      tools.bytes,
      encodeJson(system(request.system)),
    ];
    // The first message has no separator in front of it.
    if (first !== undefined) chunks.push(first.subarray(1), ...others);
    chunks.push(encodeJson(purpose === "count" ? "]}" : `]${diagnosis.member(request)}}`));
    const encoded: EncodedRequest = { chunks, tools, hasCall: (id) => callIds.has(id) };
    if (purpose === "answer") diagnosis.sent(encoded, request);
    return encoded;
  };
}

function head(model: string, maxTokens: number | null): string {
  const answer = maxTokens === null ? "" : `"max_tokens":${maxTokens},"stream":true,`;
  return `{"model":${JSON.stringify(model)},${answer}`;
}

function system(text: string): string {
  const blocks = text.trim() === "" ? "" : `"system":[{"type":"text","text":${JSON.stringify(text)}}],`;
  return `${blocks}"messages":[`;
}

/** The messages' bytes, with a breakpoint on the last block of each of the two newest user messages. */
function withBreakpoints(recent: readonly EncodedMessage[]): Uint8Array[] {
  const users = recent.filter(({ role }) => role === "user").slice(-2);
  return recent.flatMap((message) => {
    if (!users.includes(message)) return [message.bytes];
    const cut = message.bytes.length - closing.length;
    return [message.bytes.subarray(0, cut), breakpoint, message.bytes.subarray(cut)];
  });
}
