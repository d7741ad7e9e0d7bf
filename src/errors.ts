import type { HostErrorCode } from "./types/error.ts";

/** Facts about the error, plain JSON, without secrets. */
export type HostErrorData = Readonly<Record<string, string | number | boolean | null>>;

/** What the caller can act on: a stable `code`, a sentence that says what to do, and the cause. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  readonly data: HostErrorData;

  constructor(code: HostErrorCode, message: string, options: { cause?: unknown; data?: HostErrorData } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
  }
}

/** Whatever was thrown, as a HostError: one that already is passes through. */
export function toHostError(thrown: unknown, code: HostErrorCode = "internal"): HostError {
  if (thrown instanceof HostError) return thrown;
  return new HostError(code, messageOf(thrown), { cause: thrown });
}

/** What was thrown, in its own words. Programs throw anything, also what has no text. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "what was thrown has no text";
  }
}
