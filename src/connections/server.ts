import type { HostError } from "../errors.ts";
import type { ServerSetting } from "../types/config.ts";
import type { ServerLog, ServerStatus } from "../types/events.ts";
import type { ServerOffers } from "../types/offers.ts";
import type { CallReply } from "../types/outcome.ts";
import type { KnownLists, ServerCall, ServerInstructions } from "../types/ports.ts";
import type { ServerToolList } from "../types/tool.ts";
import { holdable } from "./auth/person-wait.ts";
import { bringUp } from "./bring-up.ts";
import { callTool } from "./call.ts";
import { callAborted, callNotSent } from "./call-failure.ts";
import { type ChangeWatch, createChangeWatch } from "./changes.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createFailures } from "./failure.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { createToolListCache, type ToolListCache } from "./lists.ts";
import { createServerOffers, type ManagedOffers } from "./server-offers.ts";
import { untilAborted } from "./wait.ts";

/** One server of the host, through all its starts. */
import { createServerRequests } from "./server-requests/server-requests.ts";
export interface ManagedServer {
  readonly id: string;
  /** Begins its first start; a child process is spawned before this returns. */
  start(): void;
  status(): ServerStatus;
  /** Resolves when its first start is over. Rejects when it is required and cannot be used. */
  ready(): Promise<void>;
  /** The last list that was read; null when it never was, or the server is gone for good. */
  list(): ServerToolList | null;
  /** Null when the list may be used as it is; else reads it again, and keeps the last good one if that fails. */
  refresh(): Promise<void> | null;
  call(call: ServerCall): Promise<CallReply>;
  readonly offers: ServerOffers;
  close(): Promise<void>;
}

/** What servers share. */
export type ServerContext = Omit<
  OpenContext,
  "server" | "config" | "failures" | "signal" | "onToolsChanged" | "onOffersChanged" | "untimed" | "requests"
> & {
  readonly configHash: () => Promise<string>;
  readonly onStatus: (status: ServerStatus) => void;
  /** What it says of its own use; null while it says nothing. */
  instructions(): ServerInstructions | null;
};

export function createServer(setting: ServerSetting, context: ServerContext): ManagedServer {
  const { id, config, trusted } = setting;
  const { configHash, limits, clock } = context;
  const required = config.required ?? true;
  const lists = createToolListCache({ server: id, trusted, configHash, listMs: limits.listMs, clock });
  const inFlight = new Set<() => void>();
  const redact = (text: string) => context.secrets.redact(text);
  let status: ServerStatus = { server: id, state: "starting" };
  const setStatus = (next: ServerStatus) => {
    status = next;
    context.onStatus(next);
  readonly onLog: (log: ServerLog) => void;
  /** Whether the host has a person to ask. */
  readonly elicitation: boolean;
  };
  const refresh = () => refreshList(lists, lifecycle.connection());
  const changes = watchChanges(lists, refresh, context);
  const offers = createServerOffers({
    ...{ server: id, listMs: limits.listMs, clock, inFlight, redact },
    connection: async (signal) => lifecycle.connection() ?? (await connectionFor(id, signal, lifecycle)),
  });
  const lifecycle = createServerLifecycle(setting, context, { lists, changes, offers }, setStatus);

  return {
    id,
    start: () => lifecycle.start(),
    status: () => (status.state === "ready" ? { ...status, tools: countTools(lists) } : status),
    async ready() {
      // A server that only helps is waited for once; a run goes on while it is started again.
      if (required || lists.current() === null) await lifecycle.starting();
      const failure = lifecycle.failure();
      if (required && failure !== null && lifecycle.connection() === null) throw failure;
    },
    list: () => ((lifecycle.connection() ?? lifecycle.starting()) ? lists.current() : null),
    refresh,
    offers,
    async call(call) {
      const open = lifecycle.connection() ?? (await connectionFor(id, call.signal, lifecycle));
      return holdable(call, () => callTool(open, call, inFlight, redact));
    },
    close() {
      for (const abort of inFlight) abort();
      changes.stop();
      return lifecycle.close();
    },
  };
}

function countTools(lists: ToolListCache): number {
  return lists.current()?.tools.length ?? 0;
}

function refreshList(lists: ToolListCache, connection: Connection | null): Promise<void> | null {
  if (connection === null || lists.isFresh()) return null;
    instructions() {
      const text = lifecycle.connection()?.instructions ?? null;
      return text === null ? null : { server: id, trusted, text };
    },
  // A reading that is under way may be older than the change that makes another one necessary.
  const joined = lists.isBeingRead();
  const reading = lists.read(connection).catch(() => {});
  if (!joined) return reading;
  return reading.then(() => (lists.isFresh() ? undefined : lists.read(connection).catch(() => {})));
}

/** Keeps what is known of the tools up to date between turns, so that a change is seen before the next call. */
function watchChanges(
  lists: ToolListCache,
  refresh: () => Promise<void> | null,
  { clock }: ServerContext,
): ChangeWatch {
  return createChangeWatch(clock, async () => {
    const before = lists.current();
    await refresh();
    return lists.current() !== before;
  });
}

/** What is kept of a server, and must be looked at again when it says so. */
interface KnownOfServer {
  readonly lists: ToolListCache;
  readonly changes: ChangeWatch;
  readonly offers: ManagedOffers;
}

function createServerLifecycle(
  { id, config }: ServerSetting,
  context: ServerContext,
  { lists, changes, offers }: KnownOfServer,
  setStatus: (status: ServerStatus) => void,
): Lifecycle {
  const { clock, limits } = context;
  const failures = createFailures(id, config, context.secrets);
  const onToolsChanged = () => {
    lists.markStale();
    changes.notify();
  };
  return createLifecycle({
    clock,
    open(signal, untimed) {
      const hears = { onToolsChanged, onOffersChanged: () => offers.markStale() };
      const { fetch, recall } = remembered;
      const open = { ...context, server: id, config, failures, requests, signal, untimed, fetch, ...hears };
      return bringUp(open, lists, recall);
    },
    // A transport that the program made is spent with its first connection.
    restartable: !("transport" in config),
    startMs: limits.serverStartMs,
    onStarting: () => setStatus({ server: id, state: "starting" }),
    onReady({ era, protocolVersion }, ms) {
      setStatus({ server: id, state: "ready", era, protocolVersion, ms, tools: countTools(lists) });
    },
    onFailed({ code, message }) {
      const required = config.required ?? true;
      setStatus({ server: id, state: "failed", required, error: { code, message } });
  let hasWorked = false;
  const requests = createServerRequests({
    ...{ server: id, config, clock, elicitation: context.elicitation, onLog: context.onLog },
    redact: (text) => context.secrets.redact(text),
  });
    },
    explainEnd(connection) {
      lists.markStale();
      return failures.make("server_exited", "it ended while it was in use", connection.facts());
    },
  });
}

/** Waits for a server that is being started, or has one started that is down. */
async function connectionFor(server: string, signal: AbortSignal, lifecycle: Lifecycle): Promise<Connection> {
  if (lifecycle.isClosed()) throw callNotSent(server, "the host is closed.");
  lifecycle.revive();
  const starting = lifecycle.starting();
  if (starting !== null) {
    await untilAborted(starting, signal).catch((reason: unknown) => {
      throw callAborted(false, reason);
    });
  }
  const connection = lifecycle.connection();
  if (connection !== null) return connection;
  const failure: HostError | null = lifecycle.failure();
  throw callNotSent(server, failure?.message ?? "it is not running.", failure ?? undefined);
}
