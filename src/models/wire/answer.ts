import type { HostAnswer } from "../../types/fetch.ts";
import type { ModelEvent, ModelResponse, Usage } from "../../types/model.ts";
import { BrokenAnswer } from "./answer-errors.ts";
import { createSseParser } from "./sse.ts";

/** Most characters an answer may have. */
const answerLimit = 64 * 1024 * 1024;

/** Puts one answer together from the payloads of its stream's events. */
export interface AnswerReader {
  /**
   * Takes the payload of one event and gives the deltas that it adds.
   * @throws StreamErrorEvent when it reports an error, BrokenAnswer when it cannot be read.
   */
  take(payload: string): ModelEvent[];
  /** True once nothing of the answer is to come. */
  readonly ended: boolean;
  /** Tokens that were reported so far: they are counted also when the answer breaks off. */
  usage(): Usage;
  /** The whole answer. @throws BrokenAnswer when the stream ended before it. */
  response(): ModelResponse;
}

/** What the reading of a stream needs beside it. */
export interface ReadingContext {
  /** Told of every delta. */
  readonly emit: (event: ModelEvent) => void;
  /** Called with each piece that arrives. */
  onActivity(): void;
  /** Waits for the end of the stream as long as it is worth it. */
  patience(end: Promise<unknown>): Promise<void>;
  /** Told of the tokens whenever the API has said more of them. */
  onUsage(usage: Usage): void;
}

/**
 * Reads the stream of one answer: tells the deltas as they come, and gives the response.
 * @throws StreamErrorEvent when the API reports an error in the stream, BrokenAnswer when it ends before its end.
 */
export async function readAnswer(
  body: NonNullable<HostAnswer["body"]>,
  answer: AnswerReader,
  { emit, onActivity, patience, onUsage }: ReadingContext,
): Promise<ModelResponse> {
  const parser = createSseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let received = 0;
  let counted = 0;
  try {
    while (!answer.ended) {
      const { done, value } = await reader.read();
      if (done) break;
      onActivity();
      const text = decoder.decode(value, { stream: true });
      received += text.length;
      if (received > answerLimit) throw new BrokenAnswer("The answer is too large.");
      for (const { data } of parser.push(text)) {
        // Gateways append what is no part of the answer, such as `[DONE]`.
        if (answer.ended) break;
        const deltas = answer.take(data);
        const usage = answer.usage();
        const tokens = tokensOf(usage);
        if (tokens !== counted) onUsage(usage);
        counted = tokens;
        for (const told of deltas) emit(told);
      }
    }
  } finally {
    // Reads to the end when it is there, so that the connection can be used again.
    if (answer.ended) await patience(reader.read().catch(() => {}));
    await reader.cancel().catch(() => {});
  }
  return answer.response();
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** The JSON of an event's payload. @throws BrokenAnswer */
export function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch (cause) {
    throw new BrokenAnswer("The answer holds an event that is no JSON.", { cause });
  }
}
