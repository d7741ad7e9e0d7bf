import type { ConversationReads, LabelledContent } from "../consent/conversation-reads.ts";
import type { RunInput } from "../types/host.ts";
import type { Journal } from "../types/journal.ts";
import type { Message } from "../types/message.ts";
import type { RunReads } from "../types/policy.ts";

/** The blocks that a host gave out, of resources and prompts: it knows them again when they come back as input. */
export type BroughtBlocks = WeakMap<object, LabelledContent>;

/** What an input holds beside the person's own words: what the host knows of its blocks, and what the program says. */
export function broughtBy(
  input: RunInput,
  blocks: BroughtBlocks,
  said: Pick<RunReads, "untrusted" | "private"> | undefined,
): readonly LabelledContent[] {
  const known = typeof input === "string" || !Array.isArray(input) ? [] : input;
  const found = known.flatMap((block: unknown) => {
    const brought = typeof block === "object" && block !== null ? blocks.get(block) : undefined;
    return brought === undefined ? [] : [brought];
  });
  const all = new Map(found.map((brought) => [JSON.stringify(brought), brought]));
  const { untrusted = false, private: isPrivate = false } = said ?? {};
  return [...all.values(), ...(untrusted || isPrivate ? [unknownContent(untrusted, isPrivate)] : [])];
}

/** What the conversations of a host had read when they made these messages. */
export type ReadsOfMessages = WeakMap<Message, ConversationReads>;

/**
 * What a transcript holds: as its conversation labelled it, or both kinds where nobody knows. What a model said may repeat
 * anything that it had read; what a person said is the person's own.
 */
export function broughtByTranscript(
  messages: readonly Message[],
  known: ReadsOfMessages,
): readonly LabelledContent[] {
  const reads = new Set<ConversationReads>();
  let unknown = false;
  for (const message of messages) {
    const made = known.get(message);
    if (made !== undefined) reads.add(made);
    else
      unknown ||= message.role === "assistant" || message.content.some(({ type }) => type === "tool_result");
  }
  const contents = [...reads].flatMap((made) => made.contents());
  return unknown ? [...contents, unknownContent(true, true)] : contents;
}

/** Content of which nobody knows where it came from. */
function unknownContent(untrusted: boolean, isPrivate: boolean): LabelledContent {
  return { from: null, labels: { trusted: !untrusted, openWorld: false, private: isPrivate } };
}

/** Adds content to what a conversation has read: for the run, and for whoever goes on with the conversation later. */
export async function takeBrought(
  all: readonly LabelledContent[],
  reads: ConversationReads,
  run: string,
  journal: Journal | null,
): Promise<void> {
  for (const { from, labels } of all) {
    addBrought({ from, labels }, reads, run);
    await journal?.append({ kind: "content_read", run, from, labels });
  }
}

/** Content beside the calls of a run stands with its question. */
export function addBrought({ from, labels }: LabelledContent, reads: ConversationReads, run: string): void {
  const { trusted, openWorld, private: isPrivate } = labels;
  if (from === null) reads.addUnknown({ untrusted: !trusted || openWorld, private: isPrivate });
  else reads.add(labels, from, { run, turn: 0 });
}
