import type { ModelRequest } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";
import type { Culprit } from "../repair.ts";
import { blameTool } from "../wire/blame-tool.ts";
import { newestImages } from "../wire/newest-images.ts";
import type { EncodedTools } from "../wire/tools.ts";
import { inputItems } from "./message.ts";

const place = /\binput\[(?<item>\d{1,6})\](?:\.(?:content|output)\[(?<part>\d{1,6})\])?/;
/** Refusals of reasoning that came from the model, or of the ids that go with it. */
const replayWords =
  /encrypted content .*could not be|required following item|required 'reasoning' item|Items are not persisted|Duplicate item found/;
const imageWords = /does not represent a valid image|unsupported image|^Invalid base64 image_url/;
const everything = { leaveOut: () => null, tighter: () => null };

/**
 * What of a request an error of status 400 names: what was asked of the model's reasoning, the reasoning that goes
 * back, a tool, an item of the input (`input[3].output[1]`), or an image that cannot be read.
 */
export function blame(
  body: unknown,
  { messages }: ModelRequest,
  tools: EncodedTools,
  model: string,
): readonly Culprit[] {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const words = typeof error.message === "string" ? error.message.slice(0, 10_000) : "";
  const param = typeof error.param === "string" ? error.param.slice(0, 1_000) : "";
  if (param === "include" || words.startsWith("Encrypted content is not supported")) {
    return [{ type: "own", what: "encrypted reasoning" }];
  }
  if (replayWords.test(words)) return [{ type: "native", message: 0 }];
  const named = blameTool(`${words} ${param}`, tools);
  if (named.length > 0) return named;
  const found = place.exec(words)?.groups ?? place.exec(param)?.groups;
  if (found === undefined) return imageWords.test(words) ? newestImages(messages) : [];
  const sent = messages.flatMap((one, message) =>
    inputItems(one, model, everything).map((item) => ({ message, item })),
  );
  const at = sent[Number(found.item)];
  if (at === undefined) return [];
  const { message, item } = at;
  const part = found.part === undefined ? undefined : item.parts[Number(found.part)];
  const isResult = item.block !== null && messages[message]?.content[item.block]?.type === "tool_result";
  if (isResult) return [{ type: "block", message, block: item.block ?? 0, part: part ?? null }];
  return [{ type: "block", message, block: part ?? item.block ?? 0, part: null }];
}
