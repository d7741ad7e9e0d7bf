/** The options that every command with a host takes, as they were typed and checked for their form. */
export interface HostFlags {
  /** `--server`: commands or URLs, each with or without `id=`. */
  readonly servers: readonly string[];
  /** `--config`: this file in the place of those that are found. */
  readonly config?: string;
  readonly model?: string;
  /** `--fallback-model`, in order; empty without it. */
  readonly fallbackModels: readonly string[];
  readonly system?: string;
  readonly trust: readonly string[];
  readonly allow: readonly string[];
  readonly maxTurns?: number;
  /** Input and output tokens of a run. */
  readonly maxTokens?: number;
  /** US dollars of a run. */
  readonly maxCost?: number;
  /** Wall time of a run, milliseconds. */
  readonly timeoutMs?: number;
  /** `--resource-tools`; absent without it. */
  readonly resourceTools?: true;
  /** False with `--no-store`. */
  readonly store: boolean;
}
