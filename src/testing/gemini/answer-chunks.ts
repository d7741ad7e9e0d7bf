import { pieces } from "../wire-server/pieces.ts";
import type { CompletePart, CompleteTurn } from "./turns.ts";

/** Tokens of one request and its answer. */
interface GeminiTokens {
  readonly prompt: number;
  readonly cached: number;
}

/** One answer, complete. */
export interface GeminiAnswer {
  readonly id: string;
  readonly model: string;
  readonly turn: CompleteTurn;
  readonly tokens: GeminiTokens;
}

/** Tokens of a text: four bytes are one here. */
function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** The tokens so far. What a request has none of is left out. */
function usageOf({ prompt, cached }: GeminiTokens, output: number, thoughts: number): object {
  return {
    promptTokenCount: prompt,
    ...(output === 0 ? {} : { candidatesTokenCount: output }),
    totalTokenCount: prompt + output + thoughts,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
  };
}

interface Chunk {
  /** JSON texts of parts. */
  readonly parts: readonly string[];
  readonly output: number;
  readonly thoughts: number;
  readonly last: boolean;
}

/** The text of one chunk: raw, because the text of arguments must not change. */
function chunkText({ id, model, turn, tokens }: GeminiAnswer, chunk: Chunk): string {
  const usage = `"usageMetadata":${JSON.stringify(usageOf(tokens, chunk.output, chunk.thoughts))}`;
  const identity = `"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(id)}`;
  if (turn.blockReason !== undefined) {
    return `{"promptFeedback":{"blockReason":${JSON.stringify(turn.blockReason)}},${usage},${identity}}`;
  }
  const { finishReason, finishMessage } = turn;
  const content = chunk.parts.length === 0 ? "" : `"parts":[${chunk.parts.join(",")}],`;
  const end = !chunk.last
    ? ""
    : `,"finishReason":${JSON.stringify(finishReason)}${finishMessage === undefined ? "" : `,"finishMessage":${JSON.stringify(finishMessage)}`}`;
  return `{"candidates":[{"content":{${content}"role":"model"}${end},"index":0}],${usage},${identity}}`;
}

/** What comes with the reason of the end: the signature of a turn without calls, in a text without words. */
function lastParts({ turn }: GeminiAnswer): string[] {
  if (turn.lastSignature === null) return [];
  return [`{"text":"","thoughtSignature":${JSON.stringify(turn.lastSignature)}}`];
}

/** The answer as one object: what a request without streaming gets. */
export function geminiResponse(answer: GeminiAnswer): object {
  const { parts } = answer.turn;
  const count = (thought: boolean): number =>
    parts.reduce((sum, part) => sum + (part.thought === thought ? tokensIn(part.json) : 0), 0);
  const all = [...parts.map(({ json }) => json), ...lastParts(answer)];
  const chunk = { parts: all, output: count(false), thoughts: count(true), last: true };
  return JSON.parse(chunkText(answer, chunk)) as object;
}

/**
 * The answer as it is streamed: texts in pieces, every other part whole, the tokens so far with each of them, and the
 * reason of its end with the last.
 * @param deltaChars length of the pieces that texts are streamed in.
 */
export function geminiFrames(answer: GeminiAnswer, deltaChars: number): string[] {
  const frames: string[] = [];
  let output = 0;
  let thoughts = 0;
  const send = (parts: readonly string[], last: boolean): void => {
    frames.push(frameOf(chunkText(answer, { parts, output, thoughts, last })));
  };
  for (const part of answer.turn.parts) {
    for (const json of piecesOf(part, deltaChars)) {
      if (part.thought) thoughts += tokensIn(json);
      else output += tokensIn(json);
      send([json], false);
    }
  }
  const last = lastParts(answer);
  // The last chunk of an answer that says something has a part, too.
  send(last.length === 0 && answer.turn.parts.length > 0 ? ['{"text":""}'] : last, true);
  return frames;
}

function piecesOf({ json, text, thought }: CompletePart, deltaChars: number): string[] {
  if (text === null) return [json];
  return pieces(text, deltaChars).map(
    (piece) => `{"text":${JSON.stringify(piece)}${thought ? ',"thought":true' : ""}}`,
  );
}

export function frameOf(payload: string): string {
  return `data: ${payload}\r\n\r\n`;
}
