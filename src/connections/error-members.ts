import { isObject } from "../util/own.ts";

/** The code of an error of the system (`ENOENT`), the SDK (`REQUEST_TIMEOUT`) or JSON-RPC (a number); else undefined. */
export function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/** What the SDK's errors say beside their message, such as `status` and `text`; empty where there is nothing. */
export function factsOf(thrown: unknown): Readonly<Record<string, unknown>> {
  return thrown instanceof Error && "data" in thrown && isObject(thrown.data) ? thrown.data : {};
}
