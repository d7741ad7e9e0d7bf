/** One tool that is not what it was. */
export interface ToolDrift {
  /** Raw name. */
  readonly tool: string;
  readonly type: "changed" | "added" | "removed";
  /** Of what it is now; absent where it is gone. */
  readonly definitionHash?: string;
  /** Since when it was known as it was, or pinned, ISO 8601; absent where nobody knows. */
  readonly since?: string;
  /** What is different, a text for each part, escaped and bounded: `[-removed-]`, `{+added+}`. */
  readonly differences: readonly string[];
}

/** How the tools of a server differ from what they were. */
export interface ServerDrift {
  readonly server: string;
  readonly drift: "ask" | "block";
  /** When its tools were pinned, ISO 8601; absent: they are not. */
  readonly pinnedAt?: string;
  /** Why nobody can say what was pinned. */
  readonly problem?: string;
  /** By name. With `ask` those that changed and that no person has accepted; with `block` those that are kept back, too. */
  readonly tools: readonly ToolDrift[];
}

export interface DriftOptions {
  /** Only this server. Default: all, by id. */
  readonly server?: string;
  readonly signal?: AbortSignal;
}

/** What changed of tools since they were last used, and taking it as it is. */
export interface HostDrift {
  /** Servers that are down are left out. Rejects with `server_unknown` for a server that is not there or not up. */
  drift(options?: DriftOptions): Promise<readonly ServerDrift[]>;
  /**
   * Takes a server's tools as they are now: what changed is accepted, and with `drift: "block"` pinned. Returns what was
   * accepted. Rejects as `drift` does, with `store_failed`, and with `input_invalid` when that is not what was `reviewed`.
   */
  acceptDrift(
    server: string,
    options?: Pick<DriftOptions, "signal"> & { readonly reviewed?: ServerDrift },
  ): Promise<ServerDrift>;
}
