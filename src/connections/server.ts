import { HostError } from "../errors.ts";
import type { ServerSetting } from "../types/config.ts";
import type { ServerStatus } from "../types/events.ts";
import type { CallReply } from "../types/outcome.ts";
import type { ServerCall } from "../types/ports.ts";
import type { ServerToolList } from "../types/tool.ts";
import { callAborted, callNotSent, callTool, cancelReason } from "./call.ts";
import { createChangeWatch } from "./changes.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createFailures } from "./failure.ts";
import { keepListening } from "./listening.ts";
import { createToolListCache } from "./lists.ts";
import { openConnection } from "./open.ts";
import { createRestartBackoff } from "./restart.ts";
import { untilAborted, withinMs } from "./wait.ts";

/** One server of the host, through all its starts. */
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
  close(): Promise<void>;
}

/** What servers share. */
export type ServerContext = Omit<
  OpenContext,
  "server" | "config" | "failures" | "signal" | "onToolsChanged"
> & {
  readonly configHash: () => Promise<string>;
  readonly onStatus: (status: ServerStatus) => void;
};

const closeMs = 6_000;

export function createServer({ id, config, trusted }: ServerSetting, context: ServerContext): ManagedServer {
  const { clock, limits } = context;
  const required = config.required ?? true;
  const failures = createFailures(id, config, context.secrets);
  const backoff = createRestartBackoff(clock);
  const inFlight = new Set<AbortController>();
  const lists = createToolListCache({
    server: id,
    trusted,
    configHash: context.configHash,
    listMs: limits.listMs,
    clock,
  });
  const changes = createChangeWatch(clock, readAgain);
  let status: ServerStatus = { server: id, state: "starting" };
  let connection: Connection | null = null;
  let failure: HostError | null = null;
  /** The start that is under way or waits for its time; never rejects. */
  let starting: Promise<void> | null = null;
  let restartable = false;
  let closing: Promise<void> | null = null;
  let endStart = (_reason: HostError): void => {};
  let stopListening = (): void => {};

  function setStatus(next: ServerStatus): void {
    status = next;
    if (closing === null) context.onStatus(next);
  }

  function onToolsChanged(): void {
    lists.markStale();
    changes.notify();
  }

  async function readAgain(): Promise<boolean> {
    const before = lists.current();
    await refresh();
    return lists.current() !== before;
  }

  function refresh(): Promise<void> | null {
    if (connection === null || lists.isFresh()) return null;
    return lists.read(connection).catch(() => {});
  }

  function begin(): void {
    setStatus({ server: id, state: "starting" });
    const run = bringUp().finally(() => {
      if (starting === run) starting = null;
    });
    starting = run;
  }

  async function bringUp(): Promise<void> {
    const began = clock.now();
    const deadline = new AbortController();
    endStart = (reason) => deadline.abort(reason);
    const cancel = clock.after(limits.serverStartMs, () => {
      const what = `it was not ready within ${limits.serverStartMs / 1000} seconds`;
      endStart(new HostError("server_start_timeout", what));
    });
    try {
      const opening = openConnection({
        ...context,
        server: id,
        config,
        failures,
        signal: deadline.signal,
        onToolsChanged,
      });
      const opened = await opening.finally(cancel);
      await readFirstList(opened, deadline.signal);
      becomeReady(opened, clock.now() - began);
    } catch (thrown) {
      becomeFailed(failures.fromThrown(thrown));
    }
  }

  async function readFirstList(opened: Connection, signal: AbortSignal): Promise<void> {
    stopListening();
    if (opened.era === "modern" && opened.announcesTools) {
      stopListening = keepListening(opened.client, clock, () => {
        // A list that is still being read was asked for after the subscription.
        if (connection === opened) onToolsChanged();
      });
    }
    try {
      await untilAborted(lists.read(opened), signal);
      opened.confirm();
    } catch (thrown) {
      stopListening();
      const facts = opened.facts();
      await opened.close();
      if (facts?.exit)
        throw failures.make("server_exited", "it ended while its tools were listed", facts, thrown);
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw failures.make("server_list_failed", `its tools could not be listed: ${why}`, facts, thrown);
    }
  }

  function becomeReady(opened: Connection, ms: number): void {
    connection = opened;
    failure = null;
    restartable = !("transport" in config);
    const { era, protocolVersion } = opened;
    const tools = lists.current()?.tools.length ?? 0;
    void opened.ended.then(() => died(opened));
    setStatus({ server: id, state: "ready", era, protocolVersion, ms, tools });
  }

  function becomeFailed(error: HostError): void {
    connection = null;
    failure = error;
    setStatus({ server: id, state: "failed", required, error: { code: error.code, message: error.message } });
    scheduleRestart();
  }

  function died(opened: Connection): void {
    if (closing !== null || connection !== opened) return;
    stopListening();
    lists.markStale();
    becomeFailed(failures.make("server_exited", "it ended while it was in use", opened.facts()));
  }

  /** Only a server that once worked is started again by itself. */
  function scheduleRestart(): void {
    if (!restartable || closing !== null) return;
    const delay = backoff.next();
    if (delay === null) return;
    const waiting = new Promise<void>((resolve) => {
      const cancel = clock.after(delay, resolve);
      endStart = () => {
        cancel();
        resolve();
      };
    });
    const run = waiting.then(async () => {
      if (closing !== null) return;
      setStatus({ server: id, state: "starting" });
      await bringUp();
    });
    starting = run;
    void run.finally(() => {
      if (starting === run) starting = null;
    });
  }

  async function whenReady({ signal }: ServerCall): Promise<Connection> {
    if (connection !== null) return connection;
    // The window of the back-off may have passed since the last restart was given up.
    if (starting === null) scheduleRestart();
    if (starting !== null) {
      await untilAborted(starting, signal).catch((reason: unknown) => {
        throw callAborted(false, reason);
      });
    }
    if (connection !== null) return connection;
    throw callNotSent(id, failure?.message ?? "it is not running.", failure ?? undefined);
  }

  async function end(): Promise<void> {
    for (const call of inFlight) call.abort(cancelReason);
    changes.stop();
    stopListening();
    endStart(new HostError("closed", "The host was closed."));
    const open = connection;
    connection = null;
    await withinMs(Promise.all([open?.close(), starting]), closeMs);
  }

  return {
    id,
    start: begin,
    status: () => status,
    async ready() {
      if (starting !== null && (required || !restartable)) await starting;
      if (required && connection === null && failure !== null) throw failure;
    },
    list: () => (connection === null && starting === null ? null : lists.current()),
    refresh,
    async call(call) {
      if (closing !== null) throw callNotSent(id, "the host is closed.");
      const open = connection ?? (await whenReady(call));
      return callTool(open, call, inFlight);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}
