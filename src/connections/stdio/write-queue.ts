import type { Writable } from "node:stream";
import { HostError } from "../../errors.ts";

/** Writes lines to a server, in order, one write at a time. */
export interface WriteQueue {
  /**
   * Resolves once the system has taken the whole line. Rejects with `call_not_sent` when the server surely did not get
   * it, and with `call_connection_lost` when it may have.
   */
  send(line: string): Promise<void>;
  /** Writes what waits, then ends the server's input. Later sends are rejected with the reason. */
  end(reason: string): void;
  /** Nothing more can be written: everything that waits is rejected. */
  fail(reason: string): void;
}

interface Waiting {
  readonly line: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: HostError) => void;
}

/** Bytes that may wait behind the write that is under way. */
const mostWaitingBytes = 2 * 1024 * 1024;
const queueFull = "The server does not read its input, and the queue to it is full";

/**
 * Joins what is sent within one microtask, and what gathers while a write is under way, into one write.
 * A server that has stopped reading fills a bounded queue; sends beyond it are rejected at once.
 */
export function createWriteQueue(stdin: Writable): WriteQueue {
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let writing: readonly Waiting[] = [];
  let scheduled = false;
  let failed: string | null = null;
  let ending = false;

  function flush(): void {
    scheduled = false;
    if (writing.length > 0) return;
    if (waiting.length === 0) {
      if (ending) stdin.end();
      return;
    }
    const batch = waiting;
    writing = batch;
    waiting = [];
    waitingBytes = 0;
    writeBatch(stdin, batch, written);
  }

  function written(batch: readonly Waiting[]): void {
    if (writing !== batch) return;
    writing = [];
    flush();
  }

  return {
    send(line) {
      const bytes = Buffer.byteLength(line);
      if (failed !== null) return Promise.reject(notSent(failed));
      if (waitingBytes + bytes > mostWaitingBytes) flush();
      if (waitingBytes > 0 && waitingBytes + bytes > mostWaitingBytes)
        return Promise.reject(notSent(queueFull));
      return new Promise((resolve, reject) => {
        waiting.push({ line, bytes, resolve, reject });
        waitingBytes += bytes;
        if (!scheduled && writing.length === 0) {
          scheduled = true;
          queueMicrotask(flush);
        }
      });
    },
    end(reason) {
      failed ??= reason;
      ending = true;
      flush();
    },
    fail(reason) {
      failed ??= reason;
      for (const entry of writing) entry.reject(lost());
      for (const entry of waiting) entry.reject(notSent(reason));
      writing = [];
      waiting = [];
      waitingBytes = 0;
    },
  };
}

function writeBatch(
  stdin: Writable,
  batch: readonly Waiting[],
  written: (batch: readonly Waiting[]) => void,
): void {
  let sameTick = true;
  stdin.write(batch.map((entry) => entry.line).join(""), (error) => {
    if (error) failBatch(batch, error, sameTick);
    else for (const entry of batch) entry.resolve();
    written(batch);
  });
  process.nextTick(() => {
    sameTick = false;
  });
}

/** A write refused in its own tick wrote nothing; one that failed later may have written all but its last line. */
function failBatch(batch: readonly Waiting[], cause: Error, nothingWritten: boolean): void {
  const last = batch.at(-1);
  for (const entry of batch) {
    const surely = nothingWritten || entry === last;
    entry.reject(surely ? notSent("The server no longer reads its input", cause) : lost(cause));
  }
}

function lost(cause?: unknown): HostError {
  return new HostError(
    "call_connection_lost",
    "The server ended while the message was being written: it may have been received.",
    { cause },
  );
}

/** The message surely did not reach the server: it can be sent again. */
export function notSent(reason: string, cause?: unknown): HostError {
  return new HostError("call_not_sent", `${reason}: the message was not sent.`, { cause });
}
