import { createTokenEstimator, type TokenEstimator } from "../budget/token-estimate.ts";
import { couldNotBeKept, readWith } from "../results/aside.ts";
import { pagerToolName } from "../results/pager-tool.ts";
import {
  type CompactedMessages,
  createCompactedMessages,
  firstResults,
  type LeftOutResult,
  leftOutText,
  newestResults,
  oldResults,
  textOfResult,
} from "../transcript/compaction.ts";
import type { ContextWindow, TokenBounds } from "../types/context.ts";
import type { Emit } from "../types/events.ts";
import type { Journal } from "../types/journal.ts";
import type { ToolResultBlock } from "../types/message.ts";
import type { Model, ModelRequest } from "../types/model.ts";
import type { CallServer } from "../types/ports.ts";
import type { SpillStore } from "../types/stores.ts";
import { builtinServer, type ToolSnapshot, type ToolsBehindSearch } from "../types/tool.ts";
import { own } from "../util/own.ts";

/** A result that the model does not get any more. */
export interface LeftOut extends LeftOutResult {
  /** The run that kept its text, and the id of that; null when nothing was kept. */
  readonly kept: { readonly run: string; readonly id: string } | null;
}

/** What of a conversation's room outlasts a run. */
export interface ContextState {
  readonly compacted: CompactedMessages;
  /** The runs that kept what was left out, by the ids of the texts. */
  readonly keptBy: Map<string, string>;
  /** `api/name` of the model that the rest is about. */
  model: string;
  estimator: TokenEstimator;
  /** What fitted no more, where nobody knows the model's window; 0 before. */
  learnedWindow: number;
  /** False once the API's own counter did not answer. */
  counts: boolean;
}

export function createContextState(leftOut: readonly LeftOut[] = []): ContextState {
  const kept = leftOut.flatMap((result) => (result.kept === null ? [] : [result.kept]));
  return {
    compacted: createCompactedMessages(leftOut),
    keptBy: new Map(kept.map(({ id, run }) => [id, run])),
    model: "",
    estimator: createTokenEstimator(),
    learnedWindow: 0,
    counts: true,
  };
}

/** Kept outputs belong to the run that kept them; what was left out of a conversation can be read in all its runs. */
export function readingLeftOut(state: ContextState, call: CallServer): CallServer {
  return (sent) => {
    const { route, arguments: given } = sent;
    const isPager = route.server === builtinServer && route.tool === pagerToolName;
    const id = isPager ? own(given, "id") : undefined;
    const run = typeof id === "string" ? state.keptBy.get(id) : undefined;
    return call(run === undefined ? sent : { ...sent, runId: run });
  };
}

export interface ContextWindowSettings {
  readonly model: Model;
  readonly runId: string;
  /** `limits.contextTokens`. */
  readonly contextTokens: number;
  readonly spill: SpillStore;
  readonly journal: Journal | null;
}

/** Room is made down to this part of the window, so that the prefix that the API caches is written anew rarely. */
const target = 0.5;
/** Most of the window that is held free for the answer. */
const answerShare = 0.25;
/** Less than this part of the window is not worth a new prefix, as long as the request may fit. */
const worthwhile = 0.1;
/** A request that was refused goes on without this part of it at least. */
const refusedShare = 0.25;

/** For what asks no model. */
export const unlimitedContext: ContextWindow = {
  fit: (request) => Promise.resolve({ request, leastTokens: 0 }),
  shrink: () => Promise.resolve(null),
  answered() {},
};

/** Keeps the requests of one run within the model's window: see `docs/decisions/2026-11-30-compaction.md`. */
export function createContextWindow(state: ContextState, settings: ContextWindowSettings): ContextWindow {
  const { model, contextTokens } = settings;
  const name = `${model.api}/${model.name}`;
  if (state.model !== name) {
    Object.assign(state, { model: name, estimator: createTokenEstimator(), learnedWindow: 0, counts: true });
  }
  const window = (): number => contextTokens || (model.capabilities.contextTokens ?? state.learnedWindow);

  function viewOf(request: ModelRequest): ModelRequest {
    const messages = state.compacted.view(request.messages);
    return messages === request.messages ? request : { ...request, messages };
  }

  return {
    async fit(request, turn, tokensLeft, emit) {
      const viewed = viewOf(request);
      const size = window();
      if (model.capabilities.offline || (size === 0 && tokensLeft === Number.POSITIVE_INFINITY)) {
        return { request: viewed, leastTokens: 0 };
      }
      const most = size === 0 ? Number.POSITIVE_INFINITY : roomFor(request, size);
      let bounds = state.estimator.bounds(offeredOf(viewed, model));
      if (isUnsure(bounds, most) || isUnsure(bounds, tokensLeft)) {
        bounds = await counted(viewed, bounds, state, model);
      }
      if (bounds.likely <= most) return { request: viewed, leastTokens: bounds.least };
      const needed = bounds.likely > size ? 0 : size * worthwhile;
      const must = bounds.likely > size ? bounds.likely - most : 0;
      const room = { bounds, free: bounds.likely - size * target, needed, must, turn };
      if (!(await makeRoom(viewed, room, state, settings, emit))) {
        return { request: viewed, leastTokens: bounds.least };
      }
      const smaller = viewOf(request);
      return { request: smaller, leastTokens: state.estimator.bounds(offeredOf(smaller, model)).least };
    },

    async shrink(request, turn, emit) {
      const bounds = state.estimator.bounds(offeredOf(viewOf(request), model));
      if (window() === 0) state.learnedWindow = Math.floor(bounds.likely * 0.9);
      const must = bounds.likely * refusedShare;
      const room = { bounds, free: bounds.likely * target, needed: 0, must, turn };
      return (await makeRoom(viewOf(request), room, state, settings, emit)) ? viewOf(request) : null;
    },

    answered(request, { requests, inputTokens, cacheReadTokens, cacheWriteTokens }) {
      const tokens = inputTokens + cacheReadTokens + cacheWriteTokens;
      // Of several requests in one nobody knows which had how many.
      if (requests === 1 && tokens > 0) state.estimator.learn(offeredOf(request, model), tokens);
    },
  };
}

function roomFor({ maxTokens }: ModelRequest, size: number): number {
  return size - Math.min(maxTokens, size * answerShare);
}

function isUnsure({ least, most }: TokenBounds, limit: number): boolean {
  return least <= limit && most > limit;
}

const offeredSnapshots = new WeakMap<ToolsBehindSearch, ToolSnapshot>();

/** The request with the tools alone that the model is sent: others it finds by a search. */
function offeredOf(request: ModelRequest, model: Model): ModelRequest {
  const behind = model.behindSearch?.(request.snapshot, request.messages) ?? null;
  if (behind === null) return request;
  const known = offeredSnapshots.get(behind);
  if (known !== undefined) return { ...request, snapshot: known };
  const snapshot = { ...request.snapshot, tools: behind.offered };
  offeredSnapshots.set(behind, snapshot);
  return { ...request, snapshot };
}

/** The API's own count where it has one; the estimate where it does not answer. */
async function counted(
  request: ModelRequest,
  bounds: TokenBounds,
  state: ContextState,
  model: Model,
): Promise<TokenBounds> {
  if (!state.counts || model.countTokens === undefined) return bounds;
  try {
    const tokens = await model.countTokens(request);
    state.estimator.learn(offeredOf(request, model), tokens);
    return { least: tokens, likely: tokens, most: tokens };
  } catch {
    if (!request.signal.aborted) state.counts = false;
    return bounds;
  }
}

interface Room {
  readonly bounds: TokenBounds;
  /** Tokens to be rid of. */
  readonly free: number;
  /** Fewer are not worth it. */
  readonly needed: number;
  /** With fewer the request stays one that is refused. */
  readonly must: number;
  readonly turn: number;
}

/** Leaves out results; false when there are none, or too few to be worth it. */
async function makeRoom(
  { messages }: ModelRequest,
  room: Room,
  state: ContextState,
  { runId, spill, journal }: ContextWindowSettings,
  emit: Emit,
): Promise<boolean> {
  const { bounds, needed, turn } = room;
  const { compacted, estimator, keptBy } = state;
  const { old, newest } = resultsToLeaveOut(messages, room, estimator);
  const freed = tokensOf([...old, ...newest], estimator);
  if (freed === 0 || freed < needed) return false;
  const results = await Promise.all([
    ...old.map((block) => leftOut(block, false, runId, spill)),
    ...newest.map((block) => leftOut(block, true, runId, spill)),
  ]);
  for (const { kept } of results) if (kept !== null) keptBy.set(kept.id, kept.run);
  compacted.leaveOut(results);
  estimator.forget();
  // Only so that the bytes are the same after a restart: nothing is lost without it.
  const record = results.map(({ callId, text, kept }) => ({
    call: callId,
    text,
    ...(kept === null ? {} : { kept: kept.id }),
  }));
  journal?.append({ kind: "context_compacted", run: runId, results: record }).catch(() => {});
  const before = bounds.likely;
  emit({
    type: "context_compacted",
    turn,
    results: results.length,
    before,
    after: Math.max(0, Math.round(before - freed)),
  });
  return true;
}

/**
 * The oldest results; where they are too few for a request that does not fit, the largest of the newest as well, because it
 * would be refused for ever with them. Without gain no result is lost that the model has not seen.
 */
function resultsToLeaveOut(
  messages: ModelRequest["messages"],
  { free, must }: Room,
  estimator: TokenEstimator,
): { readonly old: readonly ToolResultBlock[]; readonly newest: readonly ToolResultBlock[] } {
  const { ofResult } = estimator;
  const old = firstResults(oldResults(messages), free, ofResult);
  const lacking = must - tokensOf(old, estimator);
  const newest = lacking > 0 ? firstResults(newestResults(messages, ofResult), lacking, ofResult) : [];
  return { old, newest: tokensOf(newest, estimator) < lacking ? [] : newest };
}

function tokensOf(blocks: readonly ToolResultBlock[], { ofResult }: TokenEstimator): number {
  return blocks.reduce((sum, block) => sum + ofResult(block), 0);
}

/** Keeps the text of a result, and says what stands for it. */
async function leftOut(
  block: ToolResultBlock,
  isNewest: boolean,
  run: string,
  spill: SpillStore,
): Promise<LeftOut> {
  const { callId } = block;
  const text = textOfResult(block);
  if (text === "") return { callId, text: leftOutText(block, null, isNewest), kept: null };
  try {
    const id = await spill.put(run, text);
    return { callId, text: leftOutText(block, readWith(id), isNewest), kept: { run, id } };
  } catch {
    return { callId, text: leftOutText(block, couldNotBeKept, isNewest), kept: null };
  }
}
