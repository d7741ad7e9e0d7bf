import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../util/own.ts";
import { internalError } from "../protocol.ts";
import type { AnswerRequest, CallAsking } from "./answer.ts";

/** Requests that a legacy server sends in the middle of its calls. */
export interface LegacyRequests {
  /** Takes a request; false when it is none of these. */
  received(id: unknown, method: string, params: unknown): boolean;
  /** The server needs no answer any more (`notifications/cancelled`). */
  cancelled(params: unknown): void;
  close(): void;
}

export interface LegacyRequestsSettings {
  readonly answer: AnswerRequest;
  /** The calls that are under way on the connection, oldest first. */
  readonly calls: () => readonly CallAsking[];
  readonly send: (message: JSONRPCMessage) => Promise<void>;
}

const answered = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

/** Questions at once are one a call: a server does not say which of its calls asks, so they are counted together. */
export function createLegacyRequests({ answer, calls, send }: LegacyRequestsSettings): LegacyRequests {
  const open = new Map<unknown, AbortController>();

  function reply(id: string | number, body: object): void {
    // A server that cannot be told any more has nobody who waits for it.
    send({ jsonrpc: "2.0", id, ...body } as JSONRPCMessage).catch(() => {});
  }

  async function handle(id: string | number, method: string, params: unknown): Promise<void> {
    const asking = calls();
    const asksPerson = method !== "roots/list";
    if (asksPerson && asking.length > 0 && open.size >= asking.length) {
      reply(id, { error: { code: internalError, message: "Not answered: another question is still open." } });
      return;
    }
    const abort = new AbortController();
    if (asksPerson) open.set(id, abort);
    let running = asking.length;
    const onEnd = (): void => {
      running -= 1;
      if (running === 0) abort.abort();
    };
    for (const { watchers } of asking) watchers.add(onEnd);
    const body = await answer(method, params, { calls: asking, signal: abort.signal });
    for (const { watchers } of asking) watchers.delete(onEnd);
    if (open.get(id) === abort) open.delete(id);
    if (!abort.signal.aborted) reply(id, body);
  }

  return {
    received(id, method, params) {
      if (!answered.has(method)) return false;
      // An id that is already open belongs to its first request.
      if ((typeof id === "string" || typeof id === "number") && !open.has(id))
        void handle(id, method, params);
      return true;
    },
    cancelled(params) {
      if (isObject(params)) open.get(params.requestId)?.abort();
    },
    close() {
      for (const abort of open.values()) abort.abort();
    },
  };
}
