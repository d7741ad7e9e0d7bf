import { HostError } from "../errors.ts";
import type { Clock } from "../types/ports.ts";
import type { Connection } from "./connection.ts";
import { createRestartBackoff } from "./restart.ts";
import { withinMs } from "./wait.ts";

/** The connection of one server through all its starts. */
export interface Lifecycle {
  /** Begins the first start: what has to happen at once happens before this returns. */
  start(): void;
  connection(): Connection | null;
  /** Why there is no connection; null before the first start is over. */
  failure(): HostError | null;
  /** The start that is under way or waits for its time, null when there is none. Never rejects. */
  starting(): Promise<void> | null;
  /** Plans a start if the server may be started again and none is planned. */
  revive(): void;
  isClosed(): boolean;
  close(): Promise<void>;
}

export interface LifecycleSettings {
  readonly clock: Clock;
  /** Brings the server to where it can be used, or rejects with why it cannot. */
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  /** False for what cannot be started a second time. */
  readonly restartable: boolean;
  readonly startMs: number;
  readonly onStarting: () => void;
  readonly onReady: (connection: Connection, ms: number) => void;
  readonly onFailed: (error: HostError) => void;
  /** Names the end of a connection that was in use. */
  readonly explainEnd: (connection: Connection) => HostError;
}

const closeMs = 6_000;

/** Only a server that has worked once is started again by itself: one that never did has to be looked at. */
export function createLifecycle(settings: LifecycleSettings): Lifecycle {
  const { clock } = settings;
  const backoff = createRestartBackoff(clock);
  let connection: Connection | null = null;
  let failure: HostError | null = null;
  let starting: Promise<void> | null = null;
  let hasWorked = false;
  let closing: Promise<void> | null = null;
  let giveUp = (_reason: HostError): void => {};

  function track(run: Promise<void>): void {
    const tracked: Promise<void> = run.finally(() => {
      if (starting === tracked) starting = null;
    });
    starting = tracked;
  }

  async function attempt(): Promise<void> {
    settings.onStarting();
    const began = clock.now();
    const abort = new AbortController();
    giveUp = (reason) => abort.abort(reason);
    const cancel = clock.after(settings.startMs, () => {
      giveUp(
        new HostError("server_start_timeout", `it was not ready within ${settings.startMs / 1000} seconds`),
      );
    });
    try {
      const opened = await settings.open(abort.signal).finally(cancel);
      if (closing === null) ready(opened, clock.now() - began);
      else await opened.close();
    } catch (thrown) {
      failed(thrown as HostError);
    }
  }

  function ready(opened: Connection, ms: number): void {
    connection = opened;
    failure = null;
    hasWorked = true;
    void opened.ended.then(() => {
      if (closing === null && connection === opened) failed(settings.explainEnd(opened));
    });
    settings.onReady(opened, ms);
  }

  function failed(error: HostError): void {
    connection = null;
    failure = error;
    if (closing !== null) return;
    planRestart();
    settings.onFailed(error);
  }

  function planRestart(): void {
    const delay = hasWorked && settings.restartable && closing === null ? backoff.next() : null;
    if (delay === null) return;
    const due = new Promise<void>((resolve) => {
      const cancel = clock.after(delay, resolve);
      giveUp = () => {
        cancel();
        resolve();
      };
    });
    track(due.then(() => (closing === null ? attempt() : undefined)));
  }

  async function end(): Promise<void> {
    giveUp(new HostError("closed", "The host was closed."));
    const open = connection;
    connection = null;
    await withinMs(Promise.all([open?.close(), starting]), closeMs);
  }

  return {
    start: () => track(attempt()),
    connection: () => connection,
    failure: () => failure,
    starting: () => starting,
    revive() {
      if (connection === null && starting === null) planRestart();
    },
    isClosed: () => closing !== null,
    close() {
      closing ??= end();
      return closing;
    },
  };
}
