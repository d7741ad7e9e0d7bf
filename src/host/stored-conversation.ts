import type { ConversationReads } from "../consent/conversation-reads.ts";
import { HostError } from "../errors.ts";
import { missingResult } from "../transcript/repair.ts";
import { type ConversationMessages, createConversationMessages } from "../transcript/transcript.ts";
import type { JournalReading } from "../types/journal.ts";
import type { Message, ToolResultBlock } from "../types/message.ts";
import type { CallOutcome } from "../types/outcome.ts";
import { oneLine } from "../util/one-line.ts";
import { isObject } from "../util/own.ts";
import type { LeftOut } from "./context-window.ts";
import { endOfTask, type JournaledTask } from "./end-of-task.ts";
import type { HostParts } from "./parts.ts";
import { readStoredMessages } from "./stored-messages.ts";
import { readsOfJournal } from "./stored-reads.ts";

/** A conversation as its journal left it, ready to go on. */
export interface StoredConversationState {
  readonly conversed: ConversationMessages;
  /** Results that the model does not get any more. */
  readonly leftOut: readonly LeftOut[];
  /** Length of the journal, as `Stores.openJournal` compares it. */
  readonly end: number;
  /** Fills in what the conversation has read. */
  readonly fillReads: (reads: ConversationReads) => void;
  /** Turns so far. */
  readonly turns: number;
  /** What the person should know, as sentences. */
  readonly warnings: readonly string[];
}

/**
 * Reads a stored conversation and repairs it: a call that was left open gets its recorded outcome, or a result that
 * says whether it may have run. Rejects with `conversation_unknown`, `conversation_in_use` or `store_failed`.
 */
export async function loadConversation(parts: HostParts, id: string): Promise<StoredConversationState> {
  const reading = parts.storing ? await parts.stores.readJournal?.(id, parts.principal) : undefined;
  if (reading === undefined) {
    throw new HostError(
      "conversation_unknown",
      "This host stores nothing, so there is no conversation to go on with; give it a state folder, or pass `transcript`.",
    );
  }
  const earlier = readStoredMessages(
    reading.records.flatMap((record) => (record.kind === "message_appended" ? [record.message] : [])),
  );
  const calls = callsOf(reading);
  const settled = await settledResults(parts, earlier, calls);
  return {
    conversed: createConversationMessages(earlier, {
      answer: (call) => settled.get(call.id) ?? missingResult(call, whyUnsettled(calls.get(call.id))),
    }),
    leftOut: leftOutOf(reading),
    end: reading.end,
    fillReads: (reads) => readsOfJournal(reading, reads),
    turns: turnsOf(reading),
    warnings: reading.unreadable === 0 ? [] : [unreadable(reading.unreadable)],
  };
}

/** What stands for a result is a sentence or two: a longer text is none of ours. */
const mostLeftOutChars = 2000;

function leftOutOf({ records }: JournalReading): LeftOut[] {
  return records.flatMap(({ kind, run, results }) => {
    if (kind !== "context_compacted" || typeof run !== "string" || !Array.isArray(results)) return [];
    return results.filter(isObject).flatMap(({ call, text, kept: id }): LeftOut[] => {
      const whole = typeof call === "string" && typeof text === "string";
      if (!whole || text === "" || text.length > mostLeftOutChars) return [];
      return [{ callId: call, text, kept: typeof id === "string" ? { run, id } : null }];
    });
  });
}

const maybeRan =
  "The host stopped while this call was running, so its outcome is unknown: it may have run, wholly or in part. " +
  "Check before you call it again.";
const neverRan = "Not run: the host stopped before this call was sent.";

/** What the model is told of a call without an outcome. */
function whyUnsettled(call: JournaledCall | undefined): string {
  if (call === undefined) return neverRan;
  return call.waitsFor === null
    ? maybeRan
    : `${wasWaiting} The question was: ${JSON.stringify(call.waitsFor)}`;
}

const wasWaiting =
  "The host stopped while the server waited for the person to answer its question, so this call did not end: what it " +
  "did before the question may have happened, what comes after it did not. If it is still wanted, call it again: then " +
  "the server asks again.";

function unreadable(lines: number): string {
  const what =
    lines === 1
      ? "One record of the stored conversation is"
      : `${lines} records of the stored conversation are`;
  return `${what} damaged and left out; what depended on them was repaired.`;
}

/** What is known of a call; `outcome` is null while there is none. */
interface JournaledCall {
  readonly outcome: CallOutcome | null;
  readonly run: string;
  /** The question that the server had put and nobody had answered. */
  readonly waitsFor: string | null;
  /** The task that its server made of it. */
  readonly task: JournaledTask | null;
}

function callsOf({ records }: JournalReading): ReadonlyMap<string, JournaledCall> {
  const calls = new Map<string, JournaledCall>();
  let turn = 0;
  for (const { kind, call, run, outcome, message, server, tool, task } of records) {
    if (kind === "run_started") turn = 0;
    if (kind === "message_appended" && isObject(message) && message.role === "assistant") turn += 1;
    if (typeof call !== "string" || typeof run !== "string") continue;
    // A second attempt makes the outcome unknown again.
    const known = kind === "call_intended" ? null : (calls.get(call)?.task ?? null);
    const open = { run, outcome: null, waitsFor: null, task: known };
    if (kind === "call_intended" || kind === "call_resumed") calls.set(call, open);
    if (kind === "call_task" && [server, tool, task].every((name) => typeof name === "string"))
      calls.set(call, {
        ...open,
        task: { server: String(server), tool: String(tool), id: String(task), turn },
      });
    if (kind === "call_waiting") calls.set(call, { ...open, waitsFor: questionOf(message) });
    if (kind === "call_settled") calls.set(call, { ...open, outcome: readOutcome(outcome) });
  }
  return calls;
}

function questionOf(message: unknown): string {
  return typeof message === "string" ? oneLine(message, 500) : "";
}

/** Enough of an outcome to be mapped; the mapper takes every field as hostile. */
function readOutcome(outcome: unknown): CallOutcome | null {
  if (!isObject(outcome)) return null;
  const { type, reply, message } = outcome;
  if (type === "failed" && typeof message === "string") return outcome as unknown as CallOutcome;
  if (type !== "answered" || !isObject(reply)) return null;
  const { content } = reply;
  if (!Array.isArray(content) || !content.every(isObject)) return null;
  // Models' APIs take no other value, and what is no clear success is none.
  const isError = reply.isError !== undefined && reply.isError !== false;
  return { ...outcome, reply: { ...reply, isError } } as unknown as CallOutcome;
}

/** Results of calls whose outcome was recorded, but not yet given back to the model. */
async function settledResults(
  parts: HostParts,
  messages: readonly Message[],
  calls: ReadonlyMap<string, JournaledCall>,
): Promise<ReadonlyMap<string, ToolResultBlock>> {
  const answered = new Set<string>();
  const aliases = new Map<string, string>();
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === "tool_result") answered.add(block.callId);
      if (block.type === "tool_call") aliases.set(block.id, block.name);
    }
  }
  const results = new Map<string, ToolResultBlock>();
  for (const [callId, { outcome: recorded, run, task }] of calls) {
    if (answered.has(callId)) continue;
    const place = { run, call: callId, alias: aliases.get(callId) ?? "" };
    const outcome = recorded ?? (task === null ? null : await endOfTask(parts, task, place));
    if (outcome === null) continue;
    const { results: mapped } = await parts.results.map([{ callId, tool: null, outcome }], run);
    if (mapped[0] !== undefined) results.set(callId, mapped[0].block);
  }
  return results;
}

/** Those of ended runs as recorded, and the answers of one that did not end. */
function turnsOf({ records }: JournalReading): number {
  let turns = 0;
  for (const { kind, totalTurns, message } of records) {
    if (kind === "run_ended" && typeof totalTurns === "number") turns = totalTurns;
    if (kind === "message_appended" && isObject(message) && message.role === "assistant") turns += 1;
  }
  return turns;
}
