import { HostError } from "../errors.ts";
import { readImage } from "../results/image.ts";
import type { ImageBlock, TextBlock, UserMessage } from "../types/message.ts";
import { isObject } from "../util/own.ts";

/**
 * What a person says, as a message that every model API takes. It is checked before it is part of a conversation: one
 * that the API refuses would make every later run of that conversation fail too.
 * @throws HostError `input_invalid`, naming the block
 */
export function readRunInput(input: unknown): UserMessage {
  const blocks: unknown = typeof input === "string" ? [{ type: "text", text: input }] : input;
  if (!Array.isArray(blocks)) throw invalid("is neither a text nor a list of blocks");
  const content = blocks.map((block, index) => readBlock(block, index + 1));
  const says = content.some((block) => block.type === "image" || block.text.trim() !== "");
  if (!says) throw invalid("holds no text and no image");
  return { role: "user", content };
}

/** The type of an image is read from its bytes, whatever was declared. */
function readBlock(block: unknown, number: number): TextBlock | ImageBlock {
  if (isObject(block) && block.type === "text" && typeof block.text === "string") {
    return { type: "text", text: block.text };
  }
  if (isObject(block) && block.type === "image" && typeof block.data === "string") {
    const read = readImage(block.data, String(block.mediaType));
    if (read.type === "image") return read.image;
    throw invalid(`cannot be sent: block ${number} is an image that no model reads (${read.reason})`);
  }
  throw invalid(`cannot be sent: block ${number} is neither a text nor an image`);
}

function invalid(problem: string): HostError {
  return new HostError("input_invalid", `The input of the run ${problem}.`);
}
