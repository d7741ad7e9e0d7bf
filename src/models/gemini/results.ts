import type { ImageBlock, ToolResultBlock } from "../../types/message.ts";
import { emptyError, emptyResult } from "../../util/empty-result.ts";
import type { ImageGate } from "../wire/image-gate.ts";
import type { GeminiFamily } from "./family.ts";
import { type TurnCall, textPart } from "./turn.ts";

/** Stands for a result that is not there: the API wants one for each call. */
const missingResult = "The result of this call is missing.";

/** The response to a call, and the parts that follow all responses. */
export interface WrittenResult {
  readonly part: string;
  readonly behind: readonly string[];
}

/** A tool's result in the API's form: `{output}` or `{error}`. Its images stand inside it or behind it. */
export function responsePart(
  call: TurnCall,
  result: ToolResultBlock | undefined,
  family: GeminiFamily,
  gate: ImageGate,
): WrittenResult {
  const { id, name } = call;
  const texts: string[] = [];
  const images: string[] = [];
  for (const block of result?.content ?? []) {
    if (block.type === "text") {
      if (block.text.trim() !== "") texts.push(block.text);
      continue;
    }
    const image = imagePart(block, gate);
    if ("text" in image) texts.push(image.text);
    else if (image.part !== "") images.push(image.part);
  }
  const inside = family.resultImages && images.length > 0 ? `,"parts":[${images.join(",")}]` : "";
  const behind = family.resultImages ? [] : images;
  if (images.length > 0) {
    const place = family.resultImages ? "" : " below";
    texts.push(images.length === 1 ? `[1 image${place}.]` : `[${images.length} images${place}.]`);
  }
  const failed = result === undefined || result.isError;
  const nothing = result === undefined ? missingResult : failed ? emptyError : emptyResult;
  const field = failed ? "error" : "output";
  const response = `"response":{"${field}":${JSON.stringify(texts.join("\n") || nothing)}}`;
  const identity = `${id === null ? "" : `"id":${JSON.stringify(id)},`}"name":${JSON.stringify(name)}`;
  return {
    part: `{"functionResponse":{${identity},${response}${inside}}}`,
    behind: behind.length === 0 ? [] : [textPart(`From the result of ${name}${idWords(id)}:`), ...behind],
  };
}

function idWords(id: string | null): string {
  return id === null ? "" : ` (${id})`;
}

/** An image as a part, or the words that stand for it. Gemini takes no GIF. */
export function imagePart(
  image: ImageBlock,
  gate: ImageGate,
): { readonly part: string } | { readonly text: string } {
  const { mediaType, data } = image;
  if (data === "") return { part: "" };
  if (mediaType === "image/gif") {
    const size = Math.ceil((data.length * 3) / 4 / 1024);
    return { text: `[${mediaType} ${size} KB omitted: Gemini takes no GIF images.]` };
  }
  const reason = gate.leaveOut(image);
  if (reason !== null) return { text: `[Image left out: ${reason}.]` };
  return { part: `{"inlineData":{"mimeType":"${mediaType}","data":"${data}"}}` };
}
