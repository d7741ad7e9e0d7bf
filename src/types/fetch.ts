/**
 * The host's own `fetch`. Everything beyond the standard is optional, so that the platform's `fetch` is one too.
 */
export type HostFetch = typeof fetch & {
  /** True when the body may also be a list of byte arrays, sent one after the other. */
  readonly bodyChunks?: boolean;
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
