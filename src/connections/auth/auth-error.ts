import { HostError } from "../../errors.ts";
import { shellName } from "../../util/shell-word.ts";

/** An authorization that failed. The text continues `Server "x": …`, without a full stop. */
export function authError(what: string, cause?: unknown): HostError {
  return new HostError("server_unauthorized", what, cause === undefined ? {} : { cause });
}

/** What a person types to log in. */
export function loginCommand(server: string): string {
  return `drawbridge login ${shellName(server)}`;
}
