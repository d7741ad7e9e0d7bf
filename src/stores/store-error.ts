import { HostError } from "../errors.ts";
import type { HostErrorCode } from "../types/error.ts";

/** The operating system's name of a failure, such as `ENOENT`, or an empty text. */
export function systemCode(thrown: unknown): string {
  if (!(thrown instanceof Error) || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}

/** `what` is the beginning of a sentence, such as "The run cannot be stored"; `path` is where a person looks. */
export function storeError(
  code: Extract<HostErrorCode, "store_failed" | "audit_failed">,
  what: string,
  path: string,
  cause: unknown,
): HostError {
  if (cause instanceof HostError && cause.code === code) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = "Free or repair that place, or set DRAWBRIDGE_HOME to another folder, then start again.";
  return new HostError(code, `${what} in ${path}: ${reason}. ${advice}`, { cause, data: { path } });
}
