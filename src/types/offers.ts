import type { CallReply } from "./outcome.ts";
import type { CallProgress } from "./ports.ts";
import type { ArgumentCompletion, CompletionReference, ServerPrompt } from "./prompt.ts";
import type { ResourceContents, ServerListing, ServerResource, ServerResourceTemplate } from "./resource.ts";
import type { CallInput } from "./server-input.ts";

/** How a request to a server is waited for. */
export interface ServerQuestion {
  /** When it fires, the server is told and the promise rejects at once. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Without it the server may ask nothing. */
  readonly input?: CallInput;
}

/** An answer that keeps its parts apart, and as the reply of a call. */
export interface ReadReply<Part> {
  readonly parts: readonly Part[];
  readonly reply: CallReply;
}

/** A message of a prompt before its content is mapped: how many blocks of the reply are its own, in order. */
export interface PromptPart {
  readonly role: "user" | "assistant";
  readonly blocks: number;
}

export interface PromptReply extends ReadReply<PromptPart> {
  readonly description?: string;
}

/**
 * What one server offers beside tools. A server without the capability is asked nothing: it has no entries, completes
 * nothing, and a read rejects with `call_not_sent`. Lists never reject: why there is none stands in them. The others
 * reject with a `call_*` code and set no time limit of their own.
 */
export interface ServerOffers {
  /** Waits for the server. Rejects with `call_not_sent` when it cannot be used. */
  ready(signal: AbortSignal): Promise<void>;
  /** Whether the server said so when it was last connected. */
  hasResources(): boolean;
  /** From memory while the server would tell of a change, or its `ttlMs` has not passed. */
  resources(signal: AbortSignal): Promise<ServerListing<ServerResource>>;
  templates(signal: AbortSignal): Promise<ServerListing<ServerResourceTemplate>>;
  prompts(signal: AbortSignal): Promise<ServerListing<ServerPrompt>>;
  read(uri: string, question: ServerQuestion): Promise<ReadReply<ResourceContents>>;
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    question: ServerQuestion,
  ): Promise<PromptReply>;
  /** `given` are the arguments that have their values already. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    given: Readonly<Record<string, string>>,
    question: ServerQuestion,
  ): Promise<ArgumentCompletion>;
}
