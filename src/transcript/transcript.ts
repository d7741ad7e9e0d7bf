import type { Journal } from "../types/journal.ts";
import type { Message } from "../types/message.ts";
import type { Transcript } from "../types/ports.ts";
import { deepFreeze } from "../util/freeze.ts";
import { callsOf, withUniqueCallIds } from "./call-ids.ts";
import { type AnswerOpenCall, repairMessages } from "./repair.ts";

/** The messages of a conversation, over all its runs. */
export interface ConversationMessages {
  readonly messages: readonly Message[];
  /** The transcript of one run: appends to the same messages and to the journal, if there is one. */
  forRun(runId: string, journal: Journal | null): Transcript;
}

/** That the earlier messages are in the journal already, and what is known there of calls that they leave open. */
export interface JournaledMessages {
  readonly answer: AnswerOpenCall;
}

/** Starts from messages that may have been broken by a crash or an edit; they are repaired once. */
export function createConversationMessages(
  earlier: readonly Message[] = [],
  stored?: JournaledMessages,
): ConversationMessages {
  const repaired = repairMessages(earlier, stored?.answer);
  const messages: Message[] = repaired.map((message) => deepFreeze(message));
  /** How many of the messages the journal has; the earlier ones are written before the first new one. */
  let journaled = stored === undefined ? 0 : journaledOf(earlier, repaired);
  const callIds = new Set(messages.flatMap((message) => callsOf(message).map((call) => call.id)));
  return {
    messages,
    forRun: (runId, journal) => ({
      messages,
      append(message) {
        const stored = deepFreeze(
          message.role === "assistant" ? withUniqueCallIds(message, callIds) : message,
        ) as typeof message;
        for (const call of callsOf(stored)) callIds.add(call.id);
        messages.push(stored);
        if (journal === null) return stored;
        // A journal that fails says so to whoever waits for it before the next call, or at the run's end.
        for (const kept of messages.slice(journaled)) {
          journal.append({ kind: "message_appended", run: runId, message: kept }).catch(() => {});
        }
        journaled = messages.length;
        return stored;
      },
    }),
  };
}

/** What a repair added at the end is written; a repair in the middle is done again by whoever reads the journal next. */
function journaledOf(earlier: readonly Message[], repaired: readonly Message[]): number {
  const onlyAdded = earlier.every((message, index) => message === repaired[index]);
  return onlyAdded ? earlier.length : repaired.length;
}
