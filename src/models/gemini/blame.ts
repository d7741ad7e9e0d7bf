import type { Message } from "../../types/message.ts";
import type { Culprit } from "../repair.ts";
import type { EncodedTools } from "../wire/tools.ts";
import { errorWords, namedTool } from "./errors.ts";

/** Refusals of images do not say which: those that came last are the new ones. */
const imageWords: readonly string[] = [
  "Unable to process input image",
  "Provided image is not valid",
  "Unsupported MIME type: image/",
];

/**
 * What of a request the body of a refusal names: a tool (`function_declarations[3]`), images, or thought signatures or
 * parts of a turn that the API does not take back: then every turn is sent again without them.
 */
export function blame(body: unknown, messages: readonly Message[], tools: EncodedTools): readonly Culprit[] {
  const words = errorWords(body)?.text ?? "";
  const alias = namedTool(words, tools);
  if (alias !== null) return [{ type: "tool", alias }];
  if (/thought.?signature|\bat 'contents\[\d{1,6}\]\.parts\b/i.test(words))
    return [{ type: "native", message: 0 }];
  return imageWords.some((found) => words.includes(found)) ? newestImages(messages) : [];
}

function newestImages(messages: readonly Message[]): readonly Culprit[] {
  for (let message = messages.length - 1; message >= 0; message -= 1) {
    const found = imagesOf(messages[message], message);
    if (found.length > 0) return found;
  }
  return [];
}

function imagesOf(message: Message | undefined, index: number): Culprit[] {
  return (message?.content ?? []).flatMap((one, block): Culprit[] => {
    if (one.type === "image") return [{ type: "block", message: index, block, part: null }];
    if (one.type !== "tool_result") return [];
    return one.content.flatMap((inner, part): Culprit[] =>
      inner.type === "image" ? [{ type: "block", message: index, block, part }] : [],
    );
  });
}
