import { setMaxListeners } from "node:events";
import { performRun } from "../loop/perform.ts";
import { type ConversationMessages, createConversationMessages } from "../transcript/transcript.ts";
import type { Emit, RunEvent, RunResult } from "../types/events.ts";
import type { Conversation, ConversationOptions, Run, RunInput, RunOptions } from "../types/host.ts";
import type { Journal } from "../types/journal.ts";
import type { ConversationGrants, RunCatalog, Secrets } from "../types/ports.ts";
import { linkAbort } from "../util/abort.ts";
import { createEventQueue } from "../util/event-queue.ts";
import { isObject } from "../util/own.ts";
import { randomId } from "../util/random-id.ts";
import { type HostParts, openCatalog, runPorts } from "./parts.ts";
import { ready } from "./ready.ts";
import { readRunInput } from "./run-input.ts";
import { readStoredMessages } from "./stored-messages.ts";

/** What the runs of one conversation share. */
interface Shared {
  readonly id: string;
  readonly parts: HostParts;
  readonly conversed: ConversationMessages;
  readonly grants: ConversationGrants;
  readonly catalog: RunCatalog;
  /** Where the events of the run that is under way go. */
  emit: Emit;
}

/** A conversation: runs over one transcript, one tool list, one set of grants and one journal. */
export function openConversation(parts: HostParts, options: ConversationOptions = {}): Conversation {
  const shared: Shared = {
    id: randomId("conversation"),
    parts,
    conversed: createConversationMessages(readStoredMessages(options.transcript ?? [])),
    grants: { answers: new Map() },
    catalog: openCatalog(parts, (event) => shared.emit(event)),
    emit: () => {},
  };
  let last: Promise<unknown> = Promise.resolve();

  function run(input: RunInput, { signal, maxTurns, model, system }: RunOptions = {}): Run {
    const runId = randomId("run");
    const queue = createEventQueue<RunEvent>();
    const abort = linkAbort(signal, parts.everything.signal);
    // Every call of a turn listens, and there may be many.
    setMaxListeners(0, abort.signal);
    const result = last
      .then(() => {
        shared.emit = (event) => queue.push(withoutSecrets(event, parts.secrets));
        const ownParts = { ...parts, model: model ?? parts.model, system: system ?? parts.system };
        return perform(
          { ...shared, parts: ownParts },
          runId,
          input,
          maxTurns ?? parts.limits.turns,
          abort.signal,
        );
      })
      .finally(() => {
        abort.end();
        queue.end();
        parts.underWay.delete(result);
      });
    last = result;
    parts.underWay.add(result);
    return { id: runId, result, [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator]() };
  }

  return { id: shared.id, messages: shared.conversed.messages, run };
}

async function perform(
  { id, parts, conversed, grants, catalog, emit }: Shared,
  runId: string,
  input: RunInput,
  turns: number,
  signal: AbortSignal,
): Promise<RunResult> {
  let journal: Journal | null = null;
  const { principal, system, maxTokens, limits, clock, connections, model } = parts;
  const { offline } = model.capabilities;
  emit({ type: "run_started", version: 1, runId, model: `${model.api}/${model.name}`, offline });
  const result = await performRun({
    runId,
    principal,
    input: () => readRunInput(input),
    system,
    maxTokens,
    callsPerTurn: limits.callsPerTurn,
    grants,
    signal,
    emit,
    clock,
    connections: { ...connections, ready: (until) => ready(parts, until) },
    warnings: parts.warnings,
    messages: conversed.messages,
    async ports() {
      journal = parts.storing ? await parts.stores.openJournal(id, parts.principal) : null;
      return runPorts(parts, catalog, conversed.forRun(runId, journal), journal, turns);
    },
  });
  await closeJournal(journal);
  return result;
}

/** Events are shown and stored by whoever listens; what runs, and the transcript in the result, stay as they are. */
function withoutSecrets(event: RunEvent, secrets: Secrets): RunEvent {
  if (event.type !== "call_proposed") return event;
  const shown = secrets.redactJson(event.arguments);
  return shown === event.arguments ? event : { ...event, arguments: isObject(shown) ? shown : {} };
}

/** Every record was durable before it counted, so a failure to close loses nothing. */
async function closeJournal(journal: Journal | null): Promise<void> {
  await journal?.close().catch(() => {});
}
