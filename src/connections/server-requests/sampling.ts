import type { SamplingAnswer, SamplingAsked } from "../../types/server-input.ts";
import { isObject, own } from "../../util/own.ts";

const mostMessages = 100;
const longestPrompt = 1024 * 1024;
const mostBlocks = 100;

type Message = SamplingAsked["messages"][number];
type Block = Message["content"][number];

/** The parameters of `sampling/createMessage`, or why the model cannot be asked this. Tools are not offered. */
export function readSampling(params: unknown): SamplingAsked | string {
  if (!isObject(params)) return "the request has no parameters";
  const tools = own(params, "tools");
  if (Array.isArray(tools) && tools.length > 0) return "this host offers no tools in sampling";
  const [listed, wanted, system] = ["messages", "maxTokens", "systemPrompt"].map((key) => own(params, key));
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > mostMessages)
    return `there are no messages, or more than ${mostMessages}`;
  if (typeof wanted !== "number" || !Number.isSafeInteger(wanted) || wanted < 1)
    return "maxTokens is no positive whole number";
  const messages: Message[] = [];
  for (const one of listed) {
    const message = readMessage(one);
    if (typeof message === "string") return message;
    messages.push(message);
  }
  const asked = { system: typeof system === "string" ? system : "", messages, maxTokens: wanted };
  return sizeOf(asked) > longestPrompt ? `the prompt is longer than ${longestPrompt} characters` : asked;
}

function readMessage(message: unknown): Message | string {
  const role = isObject(message) ? own(message, "role") : undefined;
  if (!isObject(message) || (role !== "user" && role !== "assistant"))
    return "a message is of neither user nor assistant";
  const content = own(message, "content");
  const listed: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (listed.length > mostBlocks) return `a message has more than ${mostBlocks} blocks`;
  const blocks = listed.map(readBlock);
  const odd = blocks.find((block) => typeof block === "string");
  return odd ?? { role, content: blocks.filter((block) => typeof block !== "string") };
}

function readBlock(block: unknown): Block | string {
  if (isObject(block)) {
    const [type, text, bytes, mimeType] = ["type", "text", "data", "mimeType"].map((key) => own(block, key));
    if (type === "text" && typeof text === "string") return { type, text };
    if (type === "image" && typeof bytes === "string" && typeof mimeType === "string")
      return { type, data: bytes, mimeType };
  }
  return "a message holds something else than text and images";
}

function sizeOf({ system, messages }: SamplingAsked): number {
  const blocks = messages.flatMap(({ content }) => content);
  return blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), system.length);
}

/** The answer as `CreateMessageResult`. */
export function samplingResult({ text, model, stopReason }: SamplingAnswer): Record<string, unknown> {
  return { role: "assistant", content: { type: "text", text }, model, stopReason };
}
