import { setMaxListeners } from "node:events";
import type { ConversationCatalog } from "../catalog/catalog.ts";
import {
  type ConversationReads,
  createConversationReads,
  type LabelledContent,
} from "../consent/conversation-reads.ts";
import { HostError } from "../errors.ts";
import { performRun } from "../loop/perform.ts";
import { wrapNote } from "../results/wrap.ts";
import { type ConversationMessages, createConversationMessages } from "../transcript/transcript.ts";
import type { ConversationGrants } from "../types/consent.ts";
import type { Emit, RunEvent, RunResult } from "../types/events.ts";
import type { Conversation, ConversationOptions, Run, RunInput, RunOptions } from "../types/host.ts";
import type { Journal } from "../types/journal.ts";
import { linkAbort } from "../util/abort.ts";
import { createEventQueue } from "../util/event-queue.ts";
import { randomId } from "../util/random-id.ts";
import { begunJournal } from "./begun-journal.ts";
import { broughtBy, broughtByTranscript, takeBrought } from "./brought.ts";
import { checkRunOptions } from "./check-run-options.ts";
import {
  type ContextState,
  createContextState,
  createContextWindow,
  readingLeftOut,
} from "./context-window.ts";
import { withoutSecrets } from "./event-secrets.ts";
import { instructionsText } from "./instructions.ts";
import { type HostParts, openCatalog } from "./parts.ts";
import { ready } from "./ready.ts";
import { readRunInput } from "./run-input.ts";
import { runPorts } from "./run-ports.ts";
import { loadConversation } from "./stored-conversation.ts";
import { readStoredMessages } from "./stored-messages.ts";
import { limitTime } from "./time-limit.ts";
import { traceRun } from "./trace-run.ts";

/** What the runs of one conversation share. */
interface Shared {
  readonly id: string;
  /** Replaced once, when a stored conversation was read. */
  conversed: ConversationMessages;
  /** Length of its journal after the last run; undefined before there is one. */
  end: number | undefined;
  /** Turns of earlier runs. */
  turns: number;
  /** What the next run tells about the conversation, as sentences. */
  warnings: readonly string[];
  readonly grants: ConversationGrants;
  readonly reads: ConversationReads;
  /** What came in before the first run, until that has taken it. */
  brought: readonly LabelledContent[];
  readonly catalog: ConversationCatalog;
  /** What of it the model gets; replaced with `conversed`. */
  context: ContextState;
  /** What servers say of their own use, as the first run found it; null before. */
  notes: string | null;
  /** Where the events of the run that is under way go. */
  emit: Emit;
}

/**
 * A conversation: runs over one transcript, one tool list, one set of grants and one journal.
 * @throws HostError `input_invalid`
 */
export function openConversation(parts: HostParts, options: ConversationOptions = {}): Conversation {
  checkRunOptions(options);
  const { id, transcript = [] } = options;
  if (id !== undefined && options.transcript !== undefined) {
    throw new HostError(
      "input_invalid",
      "A conversation goes on from its id or from a transcript; give one of them.",
    );
  }
  const conversed = createConversationMessages(readStoredMessages(transcript));
  const shared: Shared = {
    id: id ?? randomId("conversation"),
    conversed,
    end: undefined,
    turns: 0,
    warnings: [],
    grants: { answers: new Map() },
    reads: createConversationReads(parts.labelsOf),
    brought: broughtByTranscript(conversed.messages, parts.readsOf),
    catalog: openCatalog(parts, (event) => shared.emit(event)),
    context: createContextState(),
    notes: null,
    emit: () => {},
  };
  let last: Promise<unknown> = Promise.resolve();
  let loading: Promise<void> | undefined;

  /** Reads a stored conversation once; what fails is tried again by the next run. */
  function load(): Promise<void> {
    loading ??= (id === undefined ? Promise.resolve() : readInto(shared, parts)).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  function run(input: RunInput, settings: RunOptions = {}): Run {
    checkRunOptions(settings);
    const { signal, maxTurns, model, system, reads } = settings;
    const runId = randomId("run");
    const queue = createEventQueue<RunEvent>();
    const abort = linkAbort(signal, parts.everything.signal);
    // Every call of a turn listens, and there may be many.
    setMaxListeners(0, abort.signal);
    const result = last
      .then(() => {
        shared.emit = (event) => queue.push(withoutSecrets(event, parts.secrets));
        const ownParts = {
          ...parts,
          model: model === undefined ? parts.model : parts.offering(model),
          system: system ?? parts.system,
        };
        const turns = maxTurns ?? parts.limits.turns;
        const brought = broughtBy(input, parts.brought, reads);
        return perform(shared, ownParts, { runId, input, brought, turns, signal: abort.signal, load });
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

  return {
    id: shared.id,
    get messages() {
      return shared.conversed.messages;
    },
    run,
    async load() {
      await load();
      return shared.conversed.messages;
    },
  };
}

async function readInto(shared: Shared, parts: HostParts): Promise<void> {
  const { conversed, leftOut, fillReads, end, turns, warnings } = await loadConversation(parts, shared.id);
  fillReads(shared.reads);
  Object.assign(shared, { conversed, context: createContextState(leftOut), end, turns, warnings });
}

interface Performing {
  readonly runId: string;
  readonly input: RunInput;
  /** What the input holds beside the person's own words. */
  readonly brought: readonly LabelledContent[];
  /** Most turns of this run. */
  readonly turns: number;
  readonly signal: AbortSignal;
  /** Resolves once the messages of earlier runs are there. */
  readonly load: () => Promise<void>;
}

async function perform(shared: Shared, parts: HostParts, performing: Performing): Promise<RunResult> {
  const { runId, input } = performing;
  const { telemetry } = parts;
  const traced = { conversationId: shared.id, input };
  const trace = telemetry === null ? null : await traceRun(telemetry, traced);
  if (trace !== null) shared.emit = trace.hear(shared.emit);
  const { emit, grants } = shared;
  let journal: Journal | null = null;
  const { principal, system, maxTokens, limits, clock, connections, model } = parts;
  const { offline } = model.capabilities;
  const timed = limitTime(performing.signal, limits.runMs, clock);
  emit({ type: "run_started", version: 1, runId, model: `${model.api}/${model.name}`, offline });
  const leave = parts.notices.listen((text, code) => emit({ type: "warning", code, text }));
  const result = await performRun({
    runId,
    principal,
    input: () => readRunInput(input),
    system,
    // Once for the whole conversation: what stands before the messages must not change.
    notes: () => {
      noteInstructions(shared, parts, runId);
      shared.notes ??= notesOf(parts);
      return shared.notes;
    },
    maxTokens,
    callsPerTurn: limits.callsPerTurn,
    grants,
    reads: shared.reads.forRun(runId),
    signal: timed.signal,
    abortedBy: timed.stop,
    emit,
    clock,
    connections: { ...connections, ready: (until) => ready(parts, until) },
    warnings: parts.warnings,
    get messages() {
      return shared.conversed.messages;
    },
    async ports() {
      await performing.load();
      tellOnce(shared);
      const { id, conversed, catalog, end, turns } = shared;
      const open = () => parts.stores.openJournal(id, parts.principal, end);
      // One that is there already is locked from the start.
      journal = parts.storing ? (end === undefined ? begunJournal(id, open) : await open()) : null;
      await takeBrought([...shared.brought, ...performing.brought], shared.reads, runId, journal);
      shared.brought = [];
      const context = createContextWindow(shared.context, {
        ...{ model, runId, journal },
        contextTokens: limits.contextTokens,
        spill: parts.stores.spill,
      });
      const transcript = conversed.forRun(runId, journal);
      const reading = { ...parts, call: readingLeftOut(shared.context, parts.call) };
      const ports = await runPorts(reading, {
        ...{ catalog, transcript, journal, context },
        turns: performing.turns,
        earlierTurns: turns,
      });
      return trace === null ? ports : trace.ports(ports);
    },
  });
  timed.end();
  leave();
  for (const message of shared.conversed.messages) parts.readsOf.set(message, shared.reads);
  shared.turns += result.turns;
  await closeJournal(journal, shared);
  return result;
}

/** What stands behind the system prompt: what the markers of results mean, and what servers say of their own use. */
function notesOf({ connections, instructions, wrapping }: HostParts): string {
  const text = instructionsText(connections.instructions?.() ?? [], instructions);
  return [wrapping ? wrapNote : "", text].filter((part) => part !== "").join("\n\n");
}

/** What servers say of their own use is read with every request. */
function noteInstructions({ reads }: Shared, { connections, instructions }: HostParts, run: string): void {
  if (instructions !== "all") return;
  for (const { server, trusted, text } of connections.instructions?.() ?? []) {
    if (trusted || text.trim() === "") continue;
    const labels = { trusted, openWorld: false, private: false };
    reads.add(labels, { server, tool: "instructions" }, { run, turn: 0 });
  }
}

function tellOnce(shared: Shared): void {
  for (const text of shared.warnings) shared.emit({ type: "warning", code: "conversation", text });
  shared.warnings = [];
}

/** Every record was durable before it counted, so a failure to close loses nothing. */
async function closeJournal(journal: Journal | null, shared: Shared): Promise<void> {
  if (journal === null) return;
  await journal.close().catch(() => {});
  shared.end = journal.end ?? shared.end;
}
