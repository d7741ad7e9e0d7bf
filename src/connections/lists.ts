import type { Json } from "../types/json.ts";
import type { Clock, Secrets } from "../types/ports.ts";
import type { ServerToolList } from "../types/tool.ts";
import { stableJson } from "../util/stable-json.ts";
import { type Connection, noTimeout } from "./connection.ts";
import { codeOf } from "./error-members.ts";
import { createPagingSink, type ReadTools } from "./paging.ts";
import { methodNotFound } from "./protocol.ts";
import { redactTools } from "./redact-tools.ts";
import { sinkKey } from "./sinks.ts";

/** One server's tool list, kept between turns. */
export interface ToolListCache {
  current(): ServerToolList | null;
  /** Uses what was known earlier until the list is read for the first time. Rejects without the config's hash. */
  assume(known: Pick<ReadTools, "tools" | "quarantined">): Promise<void>;
  /** The list must be read again before it is next given out. */
  markStale(): void;
  isFresh(): boolean;
  isBeingRead(): boolean;
  /** Reads the list over this connection; readings never overlap. Rejects when it cannot be read. */
  read(connection: Connection): Promise<void>;
}

export interface ToolListSettings {
  readonly server: string;
  readonly trusted: boolean;
  readonly configHash: () => Promise<string>;
  readonly listMs: number;
  readonly clock: Clock;
  /** What is replaced in everything that tools say of themselves. */
  readonly secrets: Secrets;
  /** Told of every list that was read. */
  readonly onRead?: (read: ReadTools, connection: Connection) => void;
}

/** After a failed reading the last good list is used for this long before the server is asked again. */
const retryMs = 10_000;

export function createToolListCache(settings: ToolListSettings): ToolListCache {
  const { clock } = settings;
  let list: ServerToolList | null = null;
  let fingerprint = "";
  let stale = true;
  let expiresAt = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  let reading: { readonly over: Connection; readonly done: Promise<void> } | null = null;

  async function readOnce(connection: Connection): Promise<void> {
    stale = false;
    try {
      const read = redactTools(await readTools(connection, settings), settings.secrets);
      await adopt(read);
      settings.onRead?.(read, connection);
      expiresAt = read.ttlMs > 0 ? clock.now() + read.ttlMs : Number.POSITIVE_INFINITY;
      notBefore = 0;
    } catch (thrown) {
      stale = true;
      notBefore = clock.now() + retryMs;
      throw thrown;
    }
  }

  /** An unchanged list keeps its identity, so that nothing behind it has to be worked out again. */
  async function adopt(
    { tools, quarantined }: Pick<ReadTools, "tools" | "quarantined">,
    isAssumed = false,
  ): Promise<void> {
    const next = stableJson({ tools, quarantined } as unknown as Json);
    if (list !== null && next === fingerprint) return;
    const configHash = await settings.configHash();
    if (isAssumed && list !== null) return;
    fingerprint = next;
    list = { server: settings.server, trusted: settings.trusted, configHash, tools, quarantined };
  }

  return {
    current: () => list,
    assume: (known) => adopt(known, true),
    markStale() {
      stale = true;
    },
    isFresh: () => (!stale && clock.now() < expiresAt) || clock.now() < notBefore,
    isBeingRead: () => reading !== null,
    read(connection) {
      if (reading?.over === connection) return reading.done;
      // A reading over a connection that has ended is about to fail, and must not write into this one's list.
      const before = reading?.done.catch(() => {}) ?? Promise.resolve();
      const done = before.then(() => readOnce(connection));
      const mine = { over: connection, done };
      reading = mine;
      const finished = () => {
        if (reading === mine) reading = null;
      };
      done.then(finished, finished);
      return done;
    },
  };
}

async function readTools(
  connection: Connection,
  { server, listMs, clock }: ToolListSettings,
): Promise<ReadTools> {
  const sink = createPagingSink(server, connection.mirrorsArguments);
  const deadline = new AbortController();
  const cancel = clock.after(listMs, () => {
    deadline.abort(`no whole tool list within ${listMs} ms`);
  });
  try {
    const options = { signal: deadline.signal, timeout: noTimeout, cacheMode: "refresh" as const };
    await connection.client.listTools({ _meta: { [sinkKey]: sink } }, options);
  } catch (thrown) {
    // A server without tools does not have to know the method.
    if (codeOf(thrown) !== methodNotFound) throw thrown;
  } finally {
    cancel();
  }
  const read = sink.result();
  // A server that has gone back to the older era answers such a list too, and would never be asked for its era again.
  if (connection.isAssumed === true && !read.isModern) throw new Error("it no longer speaks the newer era");
  return read;
}
