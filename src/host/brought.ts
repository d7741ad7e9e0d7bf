import type { ConversationReads } from "../consent/conversation-reads.ts";
import type { RunInput } from "../types/host.ts";
import type { Journal } from "../types/journal.ts";
import type { ResultLabels, RunReads } from "../types/policy.ts";
import type { ToolRoute } from "../types/tool.ts";

/** Where content came from that a program puts into a run by itself. */
export interface Brought {
  readonly from: ToolRoute | null;
  readonly labels: ResultLabels;
}

/** The blocks that a host gave out, of resources and prompts: it knows them again when they come back as input. */
export type BroughtBlocks = WeakMap<object, Brought>;

/** What an input holds beside the person's own words: what the host knows of its blocks, and what the program says. */
export function broughtBy(
  input: RunInput,
  blocks: BroughtBlocks,
  said: Pick<RunReads, "untrusted" | "private"> | undefined,
): readonly Brought[] {
  const known = typeof input === "string" || !Array.isArray(input) ? [] : input;
  const found = known.flatMap((block: unknown) => {
    const brought = typeof block === "object" && block !== null ? blocks.get(block) : undefined;
    return brought === undefined ? [] : [brought];
  });
  const all = new Map(found.map((brought) => [JSON.stringify(brought), brought]));
  const { untrusted = false, private: isPrivate = false } = said ?? {};
  return [...all.values(), ...(untrusted || isPrivate ? [unknownContent(untrusted, isPrivate)] : [])];
}

/** Content of which nobody knows where it came from. */
export function unknownContent(untrusted: boolean, isPrivate: boolean): Brought {
  return { from: null, labels: { trusted: !untrusted, openWorld: false, private: isPrivate } };
}

/** Adds content to what a conversation has read: for the run, and for whoever goes on with the conversation later. */
export async function takeBrought(
  all: readonly Brought[],
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
export function addBrought({ from, labels }: Brought, reads: ConversationReads, run: string): void {
  const { trusted, openWorld, private: isPrivate } = labels;
  if (from === null) reads.addUnknown({ untrusted: !trusted || openWorld, private: isPrivate });
  else reads.add(labels, from, { run, turn: 0 });
}
