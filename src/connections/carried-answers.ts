import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject } from "../util/own.ts";
import { randomId } from "../util/random-id.ts";
import { forwardTransport } from "./forward-transport.ts";
import type { RequestId } from "./pending.ts";

/** Marks an answer that had no id and got that of the request on whose stream it came. */
export const anonymousKey: unique symbol = Symbol("anonymous");

/** No server knows it: what stands under it was put there by the host. */
const carrierKey = randomId("carrier");

/** Of an answer that belongs to no request by the stream it came on. */
const noId = "";

/** What the SDK sees in the place of an answer. */
interface Carrier {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: Readonly<Record<string, unknown>>;
}

/**
 * Brings the answers of one HTTP connection past the SDK's transport, which drops one whose envelope has a fault, to the
 * ingest, which repairs it. A large answer is parsed once that way.
 */
export interface CarriedAnswers {
  /**
   * Puts a carrier in the place of an answer, or of those in a batch; what is none stays as it is. `request` is the one
   * whose stream it came on.
   */
  carryAll(message: unknown, request: RequestId | null): unknown;
  /** The same for a document. Of a batch whatever is an object is carried: the transport takes all of it or nothing. */
  carryDocument(document: unknown, request: RequestId | null): unknown;
  /** Nobody will ask for this answer. */
  drop(carrier: unknown): void;
  /** The transport with the answers in the place of their carriers. */
  unpack(transport: Transport): Transport;
}

export function createCarriedAnswers(): CarriedAnswers {
  const carried = new Map<number, Record<string, unknown>>();
  let tickets = 0;

  function put(message: Record<string, unknown>, id: RequestId): Carrier {
    tickets += 1;
    carried.set(tickets, message);
    return { jsonrpc: "2.0", id, result: { [carrierKey]: tickets } };
  }

  function carry(message: unknown, request: RequestId | null): unknown {
    if (!isAnswer(message)) return message;
    const { id } = message;
    const named = typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : noId;
    return put(message, isAnonymous(message) ? (request ?? noId) : named);
  }

  function carryAll(message: unknown, request: RequestId | null): unknown {
    if (!Array.isArray(message)) return carry(message, request);
    // Where one says that it is the answer, another without an id is not.
    const isNamed = message.some((one) => isAnswer(one) && one.id === request);
    const meant = isNamed ? message.filter((one) => !isAnswer(one) || !isAnonymous(one)) : message;
    return meant.map((one) => carry(one, request));
  }

  function take(carrier: unknown): Record<string, unknown> | undefined {
    const ticket = ticketOf(carrier);
    if (ticket === undefined) return undefined;
    const message = carried.get(ticket);
    carried.delete(ticket);
    return message;
  }

  return {
    carryAll,
    carryDocument(document, request) {
      const members = carryAll(document, request);
      if (!Array.isArray(members)) return members;
      return members.filter(isObject).map((one) => (ticketOf(one) === undefined ? put(one, noId) : one));
    },
    drop: (carrier) => void take(carrier),
    unpack(transport) {
      const outer = forwardTransport(transport, {
        start: () => transport.start(),
        send: (message, options) => transport.send(message, options),
      });
      transport.onmessage = (message, extra) => {
        const answer = take(message);
        const received = answer === undefined ? message : named(answer, message);
        outer.onmessage?.(received as JSONRPCMessage, extra);
      };
      return outer;
    },
  };
}

function ticketOf(message: unknown): number | undefined {
  const ticket = isObject(message) && isObject(message.result) ? message.result[carrierKey] : undefined;
  return typeof ticket === "number" ? ticket : undefined;
}

function isAnswer(message: unknown): message is Record<string, unknown> {
  return (
    isObject(message) &&
    typeof message.method !== "string" &&
    ["result", "error", "id", "jsonrpc"].some((name) => Object.hasOwn(message, name))
  );
}

function isAnonymous({ id }: Record<string, unknown>): boolean {
  return id === null || id === undefined;
}

function named(answer: Record<string, unknown>, carrier: JSONRPCMessage): object {
  const id = "id" in carrier ? carrier.id : undefined;
  return isAnonymous(answer) && id !== undefined && id !== noId
    ? { ...answer, id, [anonymousKey]: true }
    : answer;
}
