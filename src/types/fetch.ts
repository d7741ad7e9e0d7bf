/**
 * The host's own `fetch`. Everything beyond the standard is optional, so that the platform's `fetch` is one too.
 */
export type HostFetch = typeof fetch & {
  /**
   * Posts to a model and gives the answer for its stream to be read. Default: by the function itself.
   * @throws as the function does.
   */
  post?(url: string, settings: PostSettings): Promise<HostAnswer>;
  /** Ends the connections that are kept open. */
  close?(): void;
};

/** What the host's own `fetch` takes beside the standard's settings. Others ignore it. */
export interface HostFetchSettings {
  /**
   * The request may be sent a second time when a connection that was kept open turns out to be closed before anything
   * of an answer has come. Requests without side effects by their method (GET, HEAD, OPTIONS) always may.
   */
  readonly replayable?: boolean;
  /**
   * Asked about every address that a name stands for, at the moment of connecting; one that it refuses ends the
   * request. Not asked where a proxy is in between, which connects by its own rules, nor for a URL with an address in
   * the place of a name.
   */
  readonly mayConnectTo?: (address: string) => boolean;
}

/** A request to a model. It may be sent a second time, as a `replayable` one. */
export interface PostSettings {
  /** All that are sent, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent one after the other. */
  readonly chunks: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** What is read of a model's answer; a `Response` has it too. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): AnswerReader } | null;
}

/** Reads a body piece by piece. */
export interface AnswerReader {
  read(): Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }>;
  /** Nothing more of it is wanted. */
  cancel(): Promise<void>;
}
