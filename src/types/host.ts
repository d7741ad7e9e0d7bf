/// <reference lib="esnext.disposable" preserve="true" />
import type { HostDrift } from "./drift.ts";
import type { RunEvent, RunResult, ServerStatus } from "./events.ts";
import type { HostOffers } from "./host-offers.ts";
import type { ImageBlock, Message, TextBlock } from "./message.ts";
import type { Model } from "./model.ts";
import type { PolicyExplanation, RunReads } from "./policy.ts";
import type { ToolSnapshot } from "./tool.ts";

/** What a person says: plain text, or blocks. A run of nothing, or of what no model reads, fails with `input_invalid`. */
export type RunInput = string | readonly (TextBlock | ImageBlock)[];

export interface RunOptions {
  /** Ends the run: calls are cancelled at their servers and every call gets its result. */
  readonly signal?: AbortSignal;
  /** Replaces `limits.turns` for this run. */
  readonly maxTurns?: number;
  /** Answers this run in the place of the host's model; the transcript stays the conversation's. */
  readonly model?: Model;
  /** Replaces the host's system prompt for this run. */
  readonly system?: string;
  /**
   * What the input holds beside the person's own words, such as a file or a page that the program put in. Blocks of
   * `readResource` and `getPrompt` are known without it.
   */
  readonly reads?: Pick<RunReads, "untrusted" | "private">;
}

export interface ConversationOptions {
  /** Messages of an earlier conversation, such as `result.messages`. What is broken in them is repaired. */
  readonly transcript?: readonly Message[];
  /**
   * The id of a stored conversation (`listConversations`): it goes on, in the same journal. Its first run reads it, and
   * fails with `conversation_unknown` or `conversation_in_use` when it cannot be continued.
   */
  readonly id?: string;
}

/**
 * A run under way: it starts at once, whether or not anybody listens. Iterate it for its events, which are kept until
 * they are read; `result` resolves with its end and never rejects.
 */
export interface Run extends AsyncIterable<RunEvent> {
  readonly id: string;
  readonly result: Promise<RunResult>;
}

/** Several runs over one transcript. A run begins when the one before it has ended. */
export interface Conversation {
  readonly id: string;
  /** So far. Those of a stored conversation are there once they were read. */
  readonly messages: readonly Message[];
  /** @throws HostError `input_invalid` for options that cannot work; nothing else is thrown */
  run(input: RunInput, options?: RunOptions): Run;
  /**
   * The messages, after a stored conversation was read; its first run does the same. Rejects with
   * `conversation_unknown`, `conversation_in_use` or `store_failed`.
   */
  load(): Promise<readonly Message[]>;
}

/** What a direct call gave back, as the model would see it. */
export interface CallResult {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** MCP servers, a model, and what stands between them. */
export interface Host extends HostOffers, HostDrift, AsyncDisposable {
  readonly model: { readonly api: string; readonly name: string; readonly offline: boolean };
  /** Where the audit log is, once something was written; null when there is no such place. */
  readonly auditLocation: string | null;
  /** What is wrong with the audit log or with tracing, a sentence each, and was told by no run as a warning: for who calls directly. */
  readonly notices: readonly string[];
  /**
   * Answers one question in a conversation of its own, or in one that goes on from `transcript`.
   * @throws HostError `input_invalid` for options that cannot work; nothing else is thrown
   */
  run(input: RunInput, options?: RunOptions & ConversationOptions): Run;
  conversation(options?: ConversationOptions): Conversation;
  /**
   * Calls one tool directly: the call itself is the consent, deny rules still hold, and it is recorded like any other.
   * Rejects with `call_unknown_tool` when the server has no such tool, and with a `server_*` code when a required
   * server is down. A failing call resolves with `isError`.
   */
  call(
    server: string,
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Pick<RunOptions, "signal">,
  ): Promise<CallResult>;
  /**
   * Which rule would decide a call of the model now, and why: nothing is asked, run or recorded, and grants are not looked
   * at. `reads` is what the run would have read before. Rejects with `call_unknown_tool`, with `input_invalid` for
   * arguments that do not fit the tool's schema, and with a `server_*` code when a required server is down.
   */
  explain(
    server: string,
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Pick<RunOptions, "signal"> & { readonly reads?: RunReads },
  ): Promise<PolicyExplanation>;
  /** The tools as a new conversation would get them. Rejects with a `server_*` code when a required server is down. */
  tools(options?: Pick<RunOptions, "signal">): Promise<ToolSnapshot>;
  /**
   * What is wrong with the rules without making them useless: those that name no server of this host, or can match nothing
   * of what its servers have. Servers that are down are left out.
   */
  policyWarnings(options?: Pick<RunOptions, "signal">): Promise<readonly string[]>;
  status(): readonly ServerStatus[];
  /**
   * Another model over this host's connections and retries, for `RunOptions.model`; named as in `HostOptions.model`.
   * @throws HostError `model_unknown`, `model_key_missing`
   */
  selectModel(name: string): Model;
  /** Replaces every secret that the host knows in a text: for what is shown or written beside it. */
  redact(text: string): string;
  /** Aborts what runs, ends every server with its children, and closes the stores. Safe to call twice. */
  close(): Promise<void>;
}
