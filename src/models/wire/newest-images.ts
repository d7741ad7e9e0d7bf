import type { Message } from "../../types/message.ts";
import type { Culprit } from "../repair.ts";

/** The images of the newest message that has some: an API that does not say which one it cannot read means a new one. */
export function newestImages(messages: readonly Message[]): readonly Culprit[] {
  for (let message = messages.length - 1; message >= 0; message -= 1) {
    const found: Culprit[] = (messages[message]?.content ?? []).flatMap((one, block): Culprit[] => {
      if (one.type === "image") return [{ type: "block", message, block, part: null }];
      if (one.type !== "tool_result") return [];
      return one.content.flatMap((inner, part): Culprit[] =>
        inner.type === "image" ? [{ type: "block", message, block, part }] : [],
      );
    });
    if (found.length > 0) return found;
  }
  return [];
}
