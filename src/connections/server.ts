import type { HostError } from "../errors.ts";
import type { ServerSetting } from "../types/config.ts";
import type { ServerLog, ServerStatus } from "../types/events.ts";
import type { KnownLists } from "../types/known-lists.ts";
import type { ServerOffers } from "../types/offers.ts";
import type { CallReply } from "../types/outcome.ts";
import type { ServerCall } from "../types/ports.ts";
import type { ServerInstructions } from "../types/server-input.ts";
import type { ServerToolList } from "../types/tool.ts";
import { holdable } from "./auth/person-wait.ts";
import { bringUp } from "./bring-up.ts";
import { callTool } from "./call.ts";
import { callAborted, callNotSent } from "./call-failure.ts";
import { type ChangeWatch, createChangeWatch } from "./changes.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createFailures } from "./failure.ts";
import { createFirstStart } from "./first-start.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { createToolListCache, type ToolListCache } from "./lists.ts";
import { createRemembered, type Remembered } from "./remembered.ts";
import { createServerOffers, type ManagedOffers } from "./server-offers.ts";
import { createServerRequests } from "./server-requests/server-requests.ts";
import { type CallTasks, createCallTasks } from "./tasks/call-tasks.ts";
import { isSameTool } from "./tool-collection.ts";
import { untilAborted } from "./wait.ts";

/** One server of the host, through all its starts. */
export interface ManagedServer {
  readonly id: string;
  /** Begins its first start; a child process is spawned before this returns. */
  start(): void;
  status(): ServerStatus;
  /**
   * Resolves when a run may begin: a required server is up, or what it offers is known from an earlier process; the
   * others had a moment for it. Rejects when it is required and cannot be used.
   */
  ready(): Promise<void>;
  /** Resolves when its start is over. Rejects when it is required and cannot be used. */
  started(): Promise<void>;
  /** Why a run that has begun cannot go on without it; null when it can. */
  blocker(): HostError | null;
  /** The last list that was read; null when it never was, or the server is gone for good. */
  list(): ServerToolList | null;
  /** Null when the list may be used as it is; else reads it again, and keeps the last good one if that fails. */
  refresh(): Promise<void> | null;
  call(call: ServerCall): Promise<CallReply>;
  /** As `Connections.taskEnd`. */
  taskEnd(taskId: string, signal: AbortSignal): Promise<CallReply | null>;
  readonly offers: ServerOffers;
  /** What it says of its own use; null while it says nothing. */
  instructions(): ServerInstructions | null;
  close(): Promise<void>;
}

/** What servers share. */
export type ServerContext = Omit<
  OpenContext,
  "server" | "config" | "failures" | "signal" | "onToolsChanged" | "onOffersChanged" | "untimed" | "requests"
> & {
  readonly configHash: () => Promise<string>;
  readonly hashKey: () => Promise<Uint8Array>;
  /** Where tools are remembered; null: nowhere. */
  readonly knownLists: KnownLists | null;
  readonly onStatus: (status: ServerStatus) => void;
  readonly onLog: (log: ServerLog) => void;
  /** Whether the host has a person to ask. */
  readonly elicitation: boolean;
};

export function createServer(setting: ServerSetting, context: ServerContext): ManagedServer {
  const { id, config, trusted } = setting;
  const { configHash, limits, clock } = context;
  const required = config.required ?? true;
  const remembered = rememberedOf(setting, context);
  const lists = createToolListCache({
    ...{ server: id, trusted, configHash, listMs: limits.listMs, clock, secrets: context.secrets },
    onRead: remembered.keep,
  });
  const inFlight = new Set<() => void>();
  const redact = (text: string) => context.secrets.redact(text);
  let status: ServerStatus = { server: id, state: "starting" };
  const setStatus = (next: ServerStatus) => {
    status = next;
    context.onStatus(next);
  };
  const refresh = () => refreshList(lists, lifecycle.connection());
  const changes = watchChanges(lists, refresh, context);
  const offers = createServerOffers({
    ...{ server: id, listMs: limits.listMs, clock, inFlight, redact },
    current: () => lifecycle.connection(),
    connection: async (signal) => lifecycle.connection() ?? (await connectionFor(id, signal, lifecycle)),
  });
  const known = { lists, changes, offers, remembered };
  const lifecycle = createServerLifecycle(setting, context, known, setStatus);
  const tasks = tasksOf(setting, context, lists, lifecycle);
  const start = createFirstStart({ required, lifecycle, clock });

  return {
    id,
    start() {
      lifecycle.start();
      start.begin(assumeRemembered(remembered, lists));
    },
    status: () => (status.state === "ready" ? { ...status, tools: countTools(lists) } : status),
    ready: start.ready,
    started: start.over,
    blocker: start.blocker,
    list: () => (lifecycle.connection() === null && lifecycle.starting() === null ? null : lists.current()),
    refresh,
    instructions() {
      const connection = lifecycle.connection();
      const isStarting = connection === null && lifecycle.starting() !== null;
      const text = isStarting ? remembered.instructions() : (connection?.instructions ?? null);
      return text === null ? null : { server: id, trusted, text: redact(text) };
    },
    offers,
    taskEnd: tasks.end,
    async call(call) {
      const open = lifecycle.connection() ?? (await connectionForCall(call, lists, lifecycle));
      const run = () => callTool(open, call, inFlight, redact, tasks);
      // Only where somebody may have to log in: before Node 24 the first use slows down every promise of the process.
      return "url" in config ? holdable(call, run) : run();
    },
    close() {
      for (const abort of inFlight) abort();
      changes.stop();
      return lifecycle.close();
    },
  };
}

function tasksOf(
  { id, config }: ServerSetting,
  { clock, secrets }: ServerContext,
  lists: ToolListCache,
  lifecycle: Lifecycle,
): CallTasks {
  return createCallTasks({
    ...{ server: id, clock, redact: (text) => secrets.redact(text), mode: config.tasks ?? "auto" },
    tool: (name) => lists.current()?.tools.find((tool) => tool.name === name),
    current: () => lifecycle.connection(),
    connection: async (signal) => lifecycle.connection() ?? (await connectionFor(id, signal, lifecycle)),
  });
}

function countTools(lists: ToolListCache): number {
  return lists.current()?.tools.length ?? 0;
}

function refreshList(lists: ToolListCache, connection: Connection | null): Promise<void> | null {
  if (connection === null) return null;
  // A reading that is under way may be older than the change that makes another one necessary.
  const joined = lists.isBeingRead();
  if (!joined && lists.isFresh()) return null;
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
  readonly remembered: Remembered;
}

function createServerLifecycle(
  { id, config }: ServerSetting,
  context: ServerContext,
  { lists, changes, offers, remembered }: KnownOfServer,
  setStatus: (status: ServerStatus) => void,
): Lifecycle {
  const { clock, limits } = context;
  const failures = createFailures(id, config, context.secrets);
  let hasWorked = false;
  const requests = createServerRequests({
    ...{ server: id, config, clock, elicitation: context.elicitation, onLog: context.onLog },
    redact: (text) => context.secrets.redact(text),
  });
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
      hasWorked = true;
      setStatus({ server: id, state: "ready", era, protocolVersion, ms, tools: countTools(lists) });
    },
    onFailed({ code, message, data: { exitCode, exitSignal } }, restartInMs) {
      if (!hasWorked) remembered.forget();
      const required = config.required ?? true;
      setStatus({
        ...{ server: id, state: "failed", required, error: { code, message } },
        ...(typeof exitCode === "number" ? { exitCode } : {}),
        ...(typeof exitSignal === "string" ? { exitSignal } : {}),
        ...(restartInMs === null ? {} : { restartInMs }),
      });
    },
    explainEnd(connection) {
      lists.markStale();
      return failures.make("server_exited", "it ended while it was in use", connection.facts());
    },
  });
}

function rememberedOf(setting: ServerSetting, context: ServerContext): Remembered {
  const { knownLists, clock, identity, access, configHash, hashKey, fetch } = context;
  return createRemembered(setting, {
    ...{ lists: knownLists, clock, configHash, hashKey, fetch, secrets: context.secrets },
    version: identity.version,
    principal: access?.principal ?? null,
  });
}

/** Whether what an earlier process knew is used now. Never rejects. */
async function assumeRemembered(remembered: Remembered, lists: ToolListCache): Promise<boolean> {
  const tools = await remembered.recall();
  if (tools === null) return false;
  return lists.assume(tools).then(
    () => true,
    () => false,
  );
}

/** The connection for a call that was decided on before the server was up: then its tool is still the same one. */
async function connectionForCall(
  { route, signal, input }: ServerCall,
  lists: ToolListCache,
  lifecycle: Lifecycle,
): Promise<Connection> {
  const definition = () => lists.current()?.tools.find(({ name }) => name === route.tool);
  const decided = definition();
  const goOn = input?.hold();
  try {
    const connection = await connectionFor(route.server, signal, lifecycle);
    if (isSameTool(decided, definition())) return connection;
  } finally {
    goOn?.();
  }
  throw callNotSent(route.server, "its definition of the tool is another one now; look at it again.");
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
