import type { ToolCallBlock, ToolResultBlock } from "../types/message.ts";
import { calledName } from "../util/called-name.ts";
import { emptyResult } from "../util/empty-result.ts";

/** Sees a model that calls the same tools again and again and learns nothing from it. */
export interface RepetitionGuard {
  /** Takes the calls of a turn with their results, and tells how many turns in a row brought nothing new. */
  add(calls: readonly ToolCallBlock[], results: readonly ToolResultBlock[]): number;
}

/**
 * A turn brings something new when one of its results was not there before: for the same tool and arguments, or, where
 * a result is empty, for the same tool at all. A model that only varies the question notices neither.
 */
export function createRepetitionGuard(): RepetitionGuard {
  const seen = new Set<string>();
  let inARow = 0;
  return {
    add(calls, results) {
      let isNew = false;
      for (const [index, call] of calls.entries()) {
        const result = results[index];
        if (result === undefined) continue;
        const answer = answerOf(result);
        const asked = answer === "" ? "" : fingerprint(call.input);
        const key = JSON.stringify([calledName(call), asked, answer]);
        if (!seen.has(key)) isNew = true;
        seen.add(key);
      }
      inARow = isNew ? 0 : inARow + 1;
      return inARow;
    },
  };
}

/** What a result says, short; empty when it says nothing. */
function answerOf({ content, isError }: ToolResultBlock): string {
  const said = content.map((block) => (block.type === "text" ? block.text.trim() : block.data)).join("\n");
  return said === "" || said === emptyResult ? "" : `${isError ? "error " : ""}${fingerprint(said)}`;
}

/** Short texts as they are; of longer ones, which would be kept as long as the run, their length and a number that changes with every character. */
function fingerprint(text: string): string {
  if (text.length <= 200) return text;
  let first = 0;
  let second = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = (Math.imul(first, 31) + code) | 0;
    second = Math.imul(second ^ code, 16_777_619);
  }
  return `${text.length}:${first}:${second}`;
}
