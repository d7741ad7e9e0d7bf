import type { ArgumentCompletion, CompletionReference, FilledPrompt, ServerPrompt } from "./prompt.ts";
import type { ResourceReading, ServerListing, ServerResource, ServerResourceTemplate } from "./resource.ts";

export interface OfferOptions {
  readonly signal?: AbortSignal;
}

export interface OfferListOptions extends OfferOptions {
  /** Only this server. Default: all, by id. */
  readonly server?: string;
}

export interface ReadOptions extends OfferOptions {
  /** Most tokens of what a model gets of it. Default: 65,536, which is 256 KiB of text. */
  readonly outputTokens?: number;
}

export interface CompleteOptions extends OfferOptions {
  /** Arguments that have their values already, by name. */
  readonly given?: Readonly<Record<string, string>>;
}

/**
 * What servers offer beside tools, for a person or a program; the model sees only what it is given of it. An unknown
 * server rejects with `server_unknown`, an abort with `aborted`.
 */
export interface HostOffers {
  /** The resources that servers list. A server that is down, or fails, has an `error` in its listing. */
  resources(options?: OfferListOptions): Promise<readonly ServerListing<ServerResource>[]>;
  resourceTemplates(options?: OfferListOptions): Promise<readonly ServerListing<ServerResourceTemplate>[]>;
  prompts(options?: OfferListOptions): Promise<readonly ServerListing<ServerPrompt>[]>;
  /**
   * Reads a resource as a person asked for it: a rule that denies `SERVER/"resources/read"` holds (`call_denied`), it is
   * recorded like a call, and the limits of calls bound it. Rejects with the `call_*` code of what went wrong.
   */
  readResource(server: string, uri: string, options?: ReadOptions): Promise<ResourceReading>;
  /**
   * Has a prompt filled in; like a read, under the name `SERVER/"prompts/get"`. Rejects with `call_invalid` when the
   * server's list of prompts was read and names a required argument that is missing.
   */
  getPrompt(
    server: string,
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ReadOptions,
  ): Promise<FilledPrompt>;
  /** What an argument may be. Empty where the server completes nothing. Rejects with a `call_*` code. */
  complete(
    server: string,
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    options?: CompleteOptions,
  ): Promise<ArgumentCompletion>;
}
