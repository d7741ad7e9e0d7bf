import { type HostError, toHostError } from "../errors.ts";
import type { Clock } from "../types/ports.ts";
import type { ServerListing } from "../types/resource.ts";
import { isObject } from "../util/own.ts";
import { ask, type Question } from "./ask.ts";
import type { Connection } from "./connection.ts";
import { readTtl } from "./ingest-envelope.ts";
import { createEntryPages, type ReadEntry } from "./offer-entries.ts";
import { methodNotFound } from "./protocol.ts";
import { untilAborted } from "./wait.ts";

/** A list of a server beside its tools, read when somebody asks for it. */
export interface OfferList<Entry> {
  get(connection: Connection, announced: boolean, signal: AbortSignal): Promise<ServerListing<Entry>>;
  /** What was read last over this connection, though it may have changed since; null when nothing was. */
  known(connection: Connection): ServerListing<Entry> | null;
  /** It must be read again before it is next given out. */
  markStale(): void;
}

export interface OfferListSettings<Entry> {
  readonly server: string;
  readonly method: Question["method"];
  /** The member of a page with its entries. */
  readonly member: string;
  readonly read: ReadEntry<Entry>;
  /** For one reading of all pages. */
  readonly listMs: number;
  readonly clock: Clock;
  readonly inFlight: Set<() => void>;
  readonly redact: (text: string) => string;
}

interface Reading<Entry> {
  readonly over: Connection;
  readonly done: Promise<ServerListing<Entry>>;
  /** Milliseconds of the clock until which it may be used without an announcement. */
  freshUntil: number;
  /** Null until all of it is there. */
  listing: ServerListing<Entry> | null;
}

/**
 * Keeps a list while it may be used: until a change is announced, or its `ttlMs` passes. A server that does neither is
 * asked each time. All who ask while it is read get the same reading.
 */
export function createOfferList<Entry>(settings: OfferListSettings<Entry>): OfferList<Entry> {
  const { clock } = settings;
  let last: Reading<Entry> | null = null;

  function begin(connection: Connection): Reading<Entry> {
    const reading: Reading<Entry> = {
      over: connection,
      done: readAll(connection, settings).then(
        ({ ttlMs, ...listing }) => {
          reading.listing = listing;
          reading.freshUntil = clock.now() + ttlMs;
          return listing;
        },
        (thrown: unknown) => {
          if (last === reading) last = null;
          const { code, message } = explain(toHostError(thrown, "internal"), settings.server);
          return { server: settings.server, entries: [], leftOut: [], error: { code, message } };
        },
      ),
      freshUntil: 0,
      listing: null,
    };
    return reading;
  }

  return {
    get(connection, announced, signal) {
      const usable =
        last !== null &&
        last.over === connection &&
        (last.listing === null || announced || clock.now() < last.freshUntil);
      const reading = usable && last !== null ? last : begin(connection);
      last = reading;
      return untilAborted(reading.done, signal);
    },
    known: (connection) => (last?.over === connection ? last.listing : null),
    markStale() {
      last = null;
    },
  };
}

/** What a person can do with a list that cannot be read. */
function explain({ code, message }: HostError, server: string): { code: HostError["code"]; message: string } {
  return code === "call_aborted"
    ? { code: "server_list_failed", message: `Server "${server}" did not give the whole list in time.` }
    : { code, message };
}

async function readAll<Entry>(
  connection: Connection,
  settings: OfferListSettings<Entry>,
): Promise<ServerListing<Entry> & { readonly ttlMs: number }> {
  const { server, method, member, read, listMs, clock, inFlight, redact } = settings;
  const pages = createEntryPages(read);
  const deadline = new AbortController();
  const cancel = clock.after(listMs, () => deadline.abort());
  let ttlMs = 0;
  try {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const params = cursor === "" ? {} : { cursor };
      const question: Question = { server, method, params, signal: deadline.signal };
      const result = await ask(connection, question, inFlight, redact);
      const page = isObject(result) ? result : {};
      const pageTtl = readTtl(page.ttlMs);
      ttlMs = ttlMs === 0 ? pageTtl : Math.min(ttlMs, pageTtl);
      cursor = pages.take(Object.hasOwn(page, member) ? page[member] : undefined, page.nextCursor);
    }
  } catch (thrown) {
    // A server may have resources without templates, and does not have to know the method then.
    if (toHostError(thrown, "internal").data.serverCode !== methodNotFound) throw thrown;
  } finally {
    cancel();
  }
  return { server, ...pages.result(), ttlMs };
}
