import type { Consent, ConsentContext, ConversationGrants } from "./consent.ts";
import type { ContextWindow } from "./context.ts";
import type { Emit, ServerLog, ServerStatus, Stop } from "./events.ts";
import type { Json, JsonObject } from "./json.ts";
import type {
  ImageBlock,
  Message,
  NativeTurn,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "./message.ts";
import type { Model, Usage } from "./model.ts";
import type { ServerOffers } from "./offers.ts";
import type { ApprovedCall, CallOutcome, CallReply, ResolvedCall, Verdict } from "./outcome.ts";
import type { RunCost } from "./price.ts";
import type { CallInput, ServerInstructions } from "./server-input.ts";
import type { TaskEnds, TaskRecorder, TaskWatch } from "./tasks.ts";
import type { CallTrace } from "./telemetry.ts";
import type { CatalogTool, ServerToolList, ToolRoute, ToolSnapshot } from "./tool.ts";

/** Time comes through here, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Milliseconds that only grow; for durations. */
  now(): number;
  /** Runs `action` once after `ms`; the returned function cancels it. */
  after(ms: number, action: () => void): () => void;
}

/** Values that must never be shown. */
export interface Secrets {
  /** Values under 8 characters are not registered: they would blank out ordinary words. */
  register(name: string, value: string): void;
  /** Every registered value replaced by `⟨secret NAME, n chars⟩`. */
  redact(text: string): string;
  /** The same for every string of a JSON value, keys included. */
  redactJson(value: Json): Json;
}

export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly text?: string;
}

/** One `tools/call` to send. */
export interface ServerCall extends TaskWatch {
  /** The run that calls: built-in tools read only what belongs to it. */
  readonly runId: string;
  readonly route: ToolRoute;
  readonly arguments: JsonObject;
  /** When it fires, the server is told (`notifications/cancelled`) and the promise rejects at once. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CallProgress) => void;
  /** Stops the clocks of the call's limits while a person is waited for; the returned function starts them again. */
  readonly hold?: () => () => void;
  /** Without it the server may ask nothing. */
  readonly input?: CallInput;
  /** The span that the server may go on with; absent where nothing is traced. */
  readonly trace?: CallTrace;
}

/**
 * Runs a call on its server. Rejects with a `HostError` of a `call_*` code whose `data.executed` is
 * `no`, `maybe` or `yes`. A reply with `isError` is an answer. Sets no time limit of its own.
 */
export type CallServer = (call: ServerCall) => Promise<CallReply>;

/** All servers of one host. */
export interface Connections extends TaskEnds {
  /** Begins to connect every server, in parallel. Returns at once; called once. */
  start(): void;
  /**
   * Resolves when a run may begin: every required server is ready, or its tools are known from an earlier process. The
   * others had a moment for it, and join later. Rejects with a required server's error.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Resolves when every start is over, or that of one server. Rejects with a required server's error. */
  started(signal: AbortSignal, server?: string): Promise<void>;
  /**
   * The lists of all servers that are ready, or known while they start, ordered by server id. Reads a list again when
   * its `ttlMs` has passed or the server said that it changed; answers with the same array, by identity, when nothing
   * changed. Rejects with the error of a required server that could not be started after all.
   */
  lists(signal: AbortSignal): Promise<readonly ServerToolList[]>;
  /** What is known now, without asking a server. */
  current(): readonly ServerToolList[];
  /** Reads the list of a server again where it said that the list changed; null: it did not. Rejects with an abort only. */
  refresh?(server: string, signal: AbortSignal): Promise<void> | null;
  status(): readonly ServerStatus[];
  /** Calls the listener on every change of a status; the returned function removes it. */
  onStatus(listener: (status: ServerStatus) => void): () => void;
  /** Calls the listener with every log message of a server; the returned function removes it. */
  onLog?(listener: (log: ServerLog) => void): () => void;
  /** What the ready servers say of their own use, ordered by id; not bounded yet. */
  instructions?(): readonly ServerInstructions[];
  readonly call: CallServer;
  /** What a server offers beside tools; null when there is no such server. */
  offers(server: string): ServerOffers | null;
  /** Ends every server and its children. Safe to call twice. */
  close(): Promise<void>;
}

/** The tools of one conversation. */
export interface RunCatalog {
  /** The list for the next turn. The same object, by identity, when nothing changed. */
  snapshot(signal: AbortSignal): Promise<ToolSnapshot>;
  /** The tool as its server defines it at this moment, or null when it is gone. */
  current(route: ToolRoute): CatalogTool | null;
  /** Reads the tool's list again where its server said that it changed, so that `current` is right; null: it is already. */
  refresh?(route: ToolRoute, signal: AbortSignal): Promise<void> | null;
  /** Why the tool, as it is now, is kept from the model; null when it is not. */
  keptBack?(tool: CatalogTool): string | null;
}

/** Turns a proposal into a call or a ready rejection. Never rejects. */
export interface CallResolver {
  resolve(block: ToolCallBlock, snapshot: ToolSnapshot): Promise<ResolvedCall>;
}

/** What a schema says of a value. `warnings` name the parts of the schema that could not be checked. */
export type SchemaCheck =
  | { readonly valid: true; readonly warnings: readonly string[] }
  /** Each problem names the field and what would be right. */
  | { readonly valid: false; readonly problems: readonly string[] };

/** Checks values against the schemas of servers, which are hostile input too. Never rejects. */
export interface SchemaValidator {
  /** Compiles each schema object once, by identity. */
  check(schema: JsonObject, value: Json): Promise<SchemaCheck>;
}

export interface ExecutionContext {
  readonly runId: string;
  readonly turn: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly current: (route: ToolRoute) => CatalogTool | null;
  /** What the conversation has granted; absent where nothing can be. */
  readonly grants?: ConversationGrants;
  /** The span of the call; absent where nothing is traced. */
  readonly trace?: CallTrace;
}

/** Runs approved calls within their limits. Never rejects: every end is an outcome. */
export interface Executor {
  execute(approved: ApprovedCall, context: ExecutionContext): Promise<CallOutcome>;
}

/**
 * Writes the two records around a side effect. `intended` resolves once its record and all before it are durable, and
 * rejects when they cannot be. `settled` only takes its record, durable before the next `intended` or `ended` resolves.
 */
export interface CallRecorder extends TaskRecorder {
  intended(approved: ApprovedCall, attempt: number, context: ExecutionContext): Promise<void>;
  settled(approved: ApprovedCall, outcome: CallOutcome, attempt: number, context: ExecutionContext): void;
}

/** One call's end, ready to be shown to the model. */
export interface SettledCall {
  readonly callId: string;
  /** Null when the name was unknown. */
  readonly tool: CatalogTool | null;
  readonly outcome: CallOutcome | { readonly type: "refused"; readonly message: string };
}

export interface MappedResult {
  readonly block: ToolResultBlock;
  readonly keptBytes: number;
  readonly cutBytes: number;
}

/** The results of a turn: the blocks in call order, and what goes behind the last of them. */
export interface MappedTurn {
  readonly results: readonly MappedResult[];
  readonly trailing: readonly (TextBlock | ImageBlock)[];
}

export interface ResultMapper {
  /** Maps all results of a turn within the output budget. Never rejects. */
  map(settled: readonly SettledCall[], runId: string): Promise<MappedTurn>;
}

/** The conversation so far. */
export interface Transcript {
  readonly messages: readonly Message[];
  /**
   * Adds a message, and writes it to the journal: it is durable before a call that comes after it runs. Call ids that
   * are not unique are minted anew, so use the returned message.
   */
  append<M extends Message>(message: M): M;
}

/** The API and the name of a model, as its turns carry them. */
export type AnsweredBy = Pick<NativeTurn, "api" | "model">;

export interface Budget {
  /** The reason to stop before another turn, or null; `nextTokens` are those that it surely needs. */
  check(nextTokens?: number): Stop | null;
  /** Counts a turn that is about to start and returns its number, from 1. */
  startTurn(): number;
  /** `answeredBy` is the model that answered, where its answer says so: a fallback has a price of its own. */
  addUsage(usage: Usage, answeredBy?: AnsweredBy): void;
  /** Takes the calls of a turn with their results. What the model should be told, because they brought nothing new, or null. */
  addResults(calls: readonly ToolCallBlock[], results: readonly ToolResultBlock[]): string | null;
  /** Takes up to `wanted` calls out of the budget and returns how many there were. */
  takeCalls(wanted: number): number;
  readonly turns: number;
  readonly calls: number;
  readonly usage: Usage;
  readonly cost: RunCost;
  /** Tokens until the limit; infinite without one. */
  readonly tokensLeft: number;
}

/**
 * Records of the loop itself, beside the executor's two. They are taken in order; `started` and `ended` resolve once
 * everything so far is durable, and reject when it cannot be.
 */
export interface RunRecorder {
  started(runId: string, model: Model, system: string): Promise<void>;
  denied(verdict: Extract<Verdict, { type: "denied" }>, context: ConsentContext): void;
  rejected(call: Extract<ResolvedCall, { type: "rejected" }>, runId: string, turn: number): void;
  returned(mapped: MappedTurn, runId: string, turn: number): void;
  ended(runId: string, stop: Stop, turns: number, usage: Usage): Promise<void>;
}

/** Everything the loop is made of. */
export interface LoopPorts {
  readonly model: Model;
  readonly catalog: RunCatalog;
  readonly resolver: CallResolver;
  readonly consent: Consent;
  readonly executor: Executor;
  readonly results: ResultMapper;
  readonly transcript: Transcript;
  readonly budget: Budget;
  readonly context: ContextWindow;
  readonly recorder: RunRecorder;
}
