import { isObject } from "../util/own.ts";
import { internalError, type WireError } from "./protocol.ts";
import { summarise } from "./summarise.ts";

/** Texts are cut where they are used, after secrets were taken out: half a secret would not be recognised. */
const whole = Number.POSITIVE_INFINITY;

/** The error of a JSON-RPC response with an integer code and a text, whatever the server sent. */
export function repairError(error: unknown): WireError {
  if (!isObject(error)) return { code: internalError, message: summarise(error, whole) };
  const code = typeof error.code === "string" ? Number(error.code) : error.code;
  return {
    code: typeof code === "number" && Number.isSafeInteger(code) ? code : internalError,
    message: summarise(error.message ?? error, whole),
    ...(error.data === undefined ? {} : { data: error.data }),
  };
}

/** A result that is an object, with a `_meta` that is an object or absent. */
export function repairResult(result: unknown): Record<string, unknown> {
  const object = isObject(result) ? { ...result } : {};
  if (object._meta !== undefined && !isObject(object._meta)) delete object._meta;
  return object;
}

/** The members that every cacheable result of a modern server must have (MCP 2026-07-28, caching). */
export function withModernMembers(result: Record<string, unknown>): Record<string, unknown> {
  return {
    ...result,
    resultType: typeof result.resultType === "string" ? result.resultType : "complete",
    ttlMs: readTtl(result.ttlMs),
    cacheScope: result.cacheScope === "public" ? "public" : "private",
  };
}

/** A `ttlMs` that is a whole number of milliseconds; 0 when it is absent or unusable. */
export function readTtl(ttlMs: unknown): number {
  if (typeof ttlMs !== "number" || !Number.isFinite(ttlMs) || ttlMs <= 0) return 0;
  // What is written for "for ever" is more than a whole number can be.
  return Math.min(Math.floor(ttlMs), Number.MAX_SAFE_INTEGER);
}
