import { HostError, toHostError } from "../errors.ts";
import type { Clock } from "../types/ports.ts";
import type { Connection } from "./connection.ts";
import { createRestartBackoff, type RestartBackoff } from "./restart.ts";
import { createStartLimit, type StartLimit } from "./start-limit.ts";
import { withinMs } from "./wait.ts";

/** The connection of one server through all its starts. */
export interface Lifecycle {
  /** Begins the first start: what has to happen at once happens before this returns. */
  start(): void;
  connection(): Connection | null;
  /** Why there is no connection; null before the first start is over. */
  failure(): HostError | null;
  /** It was ready once. */
  hasWorked(): boolean;
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
  readonly open: (signal: AbortSignal, untimed: StartLimit["untimed"]) => Promise<Connection>;
  /** False for what cannot be started a second time. */
  readonly restartable: boolean;
  readonly startMs: number;
  readonly onStarting: () => void;
  readonly onReady: (connection: Connection, ms: number) => void;
  /** `restartMs`: when it is started again; null when it is not. */
  readonly onFailed: (error: HostError, restartMs: number | null) => void;
  /** Names the end of a connection that was in use. */
  readonly explainEnd: (connection: Connection) => HostError;
}

const closeMs = 6_000;

/** Where a server stands between its starts. */
interface Life {
  readonly settings: LifecycleSettings;
  readonly backoff: RestartBackoff;
  connection: Connection | null;
  failure: HostError | null;
  starting: Promise<void> | null;
  hasWorked: boolean;
  closing: Promise<void> | null;
  /** Ends the start that is under way, or the wait for it. */
  giveUp: (reason: HostError) => void;
}

/** Only a server that has worked once is started again by itself: one that never did has to be looked at. */
export function createLifecycle(settings: LifecycleSettings): Lifecycle {
  const life: Life = {
    settings,
    backoff: createRestartBackoff(settings.clock),
    connection: null,
    failure: null,
    starting: null,
    hasWorked: false,
    closing: null,
    giveUp: () => {},
  };
  return {
    start: () => track(life, attempt(life)),
    connection: () => life.connection,
    failure: () => life.failure,
    hasWorked: () => life.hasWorked,
    starting: () => life.starting,
    revive() {
      if (life.connection === null && life.starting === null) planRestart(life);
    },
    isClosed: () => life.closing !== null,
    close() {
      life.closing ??= end(life);
      return life.closing;
    },
  };
}

function track(life: Life, run: Promise<void>): void {
  const tracked: Promise<void> = run.finally(() => {
    if (life.starting === tracked) life.starting = null;
  });
  life.starting = tracked;
}

async function attempt(life: Life): Promise<void> {
  const { clock, startMs, open, onStarting } = life.settings;
  onStarting();
  const began = clock.now();
  const abort = new AbortController();
  life.giveUp = (reason) => abort.abort(reason);
  const limit = createStartLimit(clock, startMs, () => {
    life.giveUp(new HostError("server_start_timeout", `it was not ready within ${startMs / 1000} seconds`));
  });
  try {
    const opened = await open(abort.signal, limit.untimed).finally(limit.end);
    if (life.closing === null) ready(life, opened, clock.now() - began);
    else await opened.close();
  } catch (thrown) {
    failed(life, toHostError(thrown));
  }
}

function ready(life: Life, opened: Connection, ms: number): void {
  life.connection = opened;
  life.failure = null;
  life.hasWorked = true;
  void opened.ended.then(() => {
    if (life.closing === null && life.connection === opened) failed(life, life.settings.explainEnd(opened));
  });
  life.settings.onReady(opened, ms);
}

function failed(life: Life, error: HostError): void {
  life.connection = null;
  life.failure = error;
  if (life.closing !== null) return;
  life.settings.onFailed(error, planRestart(life));
}

/** Milliseconds until the start that was planned; null when there is none. */
function planRestart(life: Life): number | null {
  const { clock, restartable } = life.settings;
  const delay = life.hasWorked && restartable && life.closing === null ? life.backoff.next() : null;
  if (delay === null) return null;
  const due = new Promise<void>((resolve) => {
    const cancel = clock.after(delay, resolve);
    life.giveUp = () => {
      cancel();
      resolve();
    };
  });
  track(
    life,
    due.then(() => (life.closing === null ? attempt(life) : undefined)),
  );
  return delay;
}

async function end(life: Life): Promise<void> {
  life.giveUp(new HostError("closed", "The host was closed."));
  const open = life.connection;
  life.connection = null;
  await withinMs(Promise.all([open?.close(), life.starting]), closeMs);
}
