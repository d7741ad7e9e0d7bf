import type { Message } from "../../types/message.ts";
import type { ModelRequest } from "../../types/model.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";
import type { Culprit } from "../repair.ts";
import { newestImages } from "../wire/newest-images.ts";
import type { EncodedTools } from "../wire/tools.ts";
import { originsOf } from "./places.ts";

const toolPlace = /^tools\.(?<tool>\d{1,6})\./;
const messagePlace =
  /^messages\.(?<message>\d{1,6})\.content\.(?<block>\d{1,6})(?:(?:\.tool_result)?\.content\.(?<part>\d{1,6}))?(?![\w])/;
const thinkingWords = /\bthinking`? (?:or|block)/;

/**
 * What of a request an error of status 400 names: a tool (`tools.3.custom…`), a block (`messages.2.content.0…`), the
 * images of `image_dimensions_too_large`, or thinking that the API does not take back.
 */
export function blame(
  body: unknown,
  { messages }: ModelRequest,
  tools: EncodedTools,
  model: string,
): readonly Culprit[] {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const words = typeof error.message === "string" ? error.message : "";
  const { paths } = isObject(error.details) ? error.details : {};
  if (Array.isArray(paths))
    return paths.flatMap((path) => blamePlace(textOfJson(path), messages, model, false));
  if (words.startsWith("diagnostics:")) return [{ type: "own", what: "the field diagnostics" }];
  const alias = tools.tools[Number(toolPlace.exec(words)?.groups?.tool ?? Number.NaN)]?.alias;
  if (alias !== undefined) return [{ type: "tool", alias }];
  // The API does not say which one.
  if (words.startsWith("Could not process image")) return newestImages(messages);
  return blamePlace(words, messages, model, thinkingWords.test(words));
}

/** @param isThinking whether the words are about thinking: then no later turn goes back as it came either. */
function blamePlace(
  words: string,
  messages: readonly Message[],
  model: string,
  isThinking: boolean,
): readonly Culprit[] {
  const place = messagePlace.exec(words)?.groups;
  if (place === undefined) return [];
  const sent = messages.flatMap((one, index) => {
    const origins = originsOf(one, model);
    return origins === null || origins.length > 0 ? [{ index, origins }] : [];
  });
  const found = sent[Number(place.message)];
  if (found === undefined) return [];
  const { index: message, origins } = found;
  if (origins === null) {
    return [isThinking ? { type: "native", message } : { type: "block", message, block: 0, part: null }];
  }
  const origin = origins[Number(place.block)];
  if (origin === undefined) return [];
  const inner = place.part === undefined ? origin.part : origin.parts[Number(place.part)];
  return [{ type: "block", message, block: origin.block, part: inner ?? null }];
}
