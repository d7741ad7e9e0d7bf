import type { AssistantMessage, Message, ToolResultBlock, UserMessage } from "../../types/message.ts";
import type { EncodedMessage } from "../wire/history.ts";
import type { ImageGate, ImageLimits } from "../wire/image-gate.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import type { GeminiFamily } from "./family.ts";
import { imagePart, responsePart } from "./results.ts";
import { nativeTurn, rebuiltTurn, type TurnCall, textPart } from "./turn.ts";

/** A message in the API's form, with the calls that the next one has to answer. */
export interface EncodedGeminiMessage extends EncodedMessage {
  readonly calls: readonly TurnCall[];
}

/** A request takes 3,600 images, and 20 MB in all. */
export const imageLimits: ImageLimits = {
  most: 3_000,
  characters: 14 * 1024 * 1024,
  large: { count: Number.POSITIVE_INFINITY, pixels: Number.POSITIVE_INFINITY },
};

/** Stands where the API wants a turn of the user and there is none. */
const goOn = textPart("Please go on.");

interface Encoding {
  readonly model: string;
  readonly family: GeminiFamily;
  readonly gate: ImageGate;
}

/**
 * The message in the API's form, or null when nothing of it can be sent. A turn of the same model is sent as the model
 * wrote it.
 */
export function encodeMessage(
  message: Message,
  encoding: Encoding,
  before: EncodedGeminiMessage | null,
): EncodedGeminiMessage | null {
  return message.role === "assistant"
    ? encodeAssistant(message, encoding, before)
    : encodeUser(message, encoding, before?.calls ?? []);
}

function encodeAssistant(
  message: AssistantMessage,
  { model, family, gate }: Encoding,
  before: EncodedGeminiMessage | null,
): EncodedGeminiMessage | null {
  const { native } = message;
  const own = native !== undefined && native.api === "gemini" && native.model === model;
  const { json, calls } = (own ? nativeTurn(message) : null) ?? rebuiltTurn(message, family);
  if (json === "") return null;
  // A turn with calls may only stand behind one of the user.
  const answers = (before?.calls ?? []).map((call) => responsePart(call, undefined, family, gate).part);
  const between = before?.role === "user" ? "" : `,${userContent(answers.length === 0 ? [goOn] : answers)}`;
  return {
    role: "assistant",
    bytes: encodeJson(`${between},${json}`),
    callIds: new Set(calls.map(({ callId }) => callId)),
    calls,
  };
}

/** One response for each call, in the order of the calls; then the images of the results, and everything else. */
function encodeUser(
  { content }: UserMessage,
  { family, gate }: Encoding,
  calls: readonly TurnCall[],
): EncodedGeminiMessage | null {
  const results = new Map<string, ToolResultBlock>();
  for (const block of content) if (block.type === "tool_result") results.set(block.callId, block);
  const written = calls.map((call) => responsePart(call, results.get(call.callId), family, gate));
  const parts = [...written.map(({ part }) => part), ...written.flatMap(({ behind }) => behind)];
  for (const block of content) {
    if (block.type === "text" && block.text.trim() !== "") parts.push(textPart(block.text));
    if (block.type !== "image") continue;
    const image = imagePart(block, gate);
    if ("text" in image) parts.push(textPart(image.text));
    else if (image.part !== "") parts.push(image.part);
  }
  if (parts.length === 0) return null;
  const bytes = encodeJson(`,${userContent(parts)}`);
  return { role: "user", bytes, callIds: new Set(), calls: [] };
}

function userContent(parts: readonly string[]): string {
  return `{"role":"user","parts":[${parts.join(",")}]}`;
}
