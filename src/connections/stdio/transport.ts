import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError, toHostError } from "../../errors.ts";
import { serverEnvironment } from "./environment.ts";
import { createInbound } from "./inbound.ts";
import { createSkippedLines } from "./message-line.ts";
import { signalGroup } from "./process-group.ts";
import { type EndStep, followProcess, type ProcessExit, type ServerProcess } from "./server-process.ts";
import { type ServerCommand, spawnServer, startFailed } from "./spawn.ts";
import { createTail } from "./tail.ts";
import { createWriteQueue, notSent, type WriteQueue } from "./write-queue.ts";

export interface StdioTransportSettings {
  /** The host's whole environment, of which the server gets the allow-listed part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Longest line that is taken; a longer one fails the one call that it answers. */
  readonly messageBytes: number;
  readonly stderrTailBytes: number;
  /** Replaces the values of secrets. */
  readonly redact: (text: string) => string;
}

/**
 * MCP over the standard streams of a child process (MCP specification, "stdio" transport).
 * `start()` spawns before it returns and may be called again; it rejects with `server_start_failed`.
 * `send()` rejects with `call_not_sent` or `call_connection_lost`.
 * `close()` is polite first and takes about 4 seconds at most; `onclose` fires once, however the server ended.
 */
export interface StdioTransport extends Transport {
  /** Null unless the server runs. */
  readonly pid: number | null;
  /** How the server ended; null while it runs, and when it never ran. Both members are null for one that was given up. */
  exit(): ProcessExit | null;
  /** The last that the server wrote to stderr, redacted. */
  stderrTail(): string;
  /** Lines on stdout that were no message. */
  skippedLines(): number;
  /** The beginnings of the first of them, redacted. */
  skippedSamples(): readonly string[];
  /** Ends a server that failed to start: no waiting for its politeness. */
  kill(): Promise<void>;
}

const politeMs = 1500;
const terminateMs = 1500;
const hastyMs = 300;
/** Lines of one chunk after which the event loop gets its turn; a chunk is at most 64 KiB. */
const manyLines = 1000;

export function createStdioTransport(
  server: ServerCommand,
  settings: StdioTransportSettings,
): StdioTransport {
  const tail = createTail(settings.stderrTailBytes, settings.redact);
  const skipped = createSkippedLines(settings.redact);
  let started: Promise<void> | null = null;
  let running: { readonly process: ServerProcess; readonly queue: WriteQueue } | null = null;
  let closing: Promise<void> | null = null;
  let closed = false;

  const report = (thrown: unknown) => transport.onerror?.(toHostError(thrown, "server_protocol"));

  function deliver(message: Record<string, unknown>): void {
    if (closed) return;
    try {
      // Whether it keeps to the protocol is the business of the ingest above.
      transport.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (thrown) {
      report(thrown);
    }
  }

  const inbound = createInbound(settings.messageBytes, skipped, {
    deliver,
    reply: (message) => void transport.send(message).catch(report),
    report,
  });

  function finish(): void {
    if (closed) return;
    inbound.end();
    closed = true;
    running?.queue.fail(endReason());
    try {
      transport.onclose?.();
    } catch (thrown) {
      report(thrown);
    }
  }

  function endReason(): string {
    const exit = running?.process.exit();
    if (!exit) return closing ? "The connection to the server is closed" : "The server is not running";
    if (exit.signal !== null) return `The server was ended by ${exit.signal}`;
    return exit.code === null ? "The server has ended" : `The server has exited with code ${exit.code}`;
  }

  async function launch(): Promise<void> {
    if (closing) throw new HostError("closed", "The connection to the server is closed; make a new one.");
    const child = spawnServer(server, serverEnvironment(settings.environment, server.env));
    const followed = followProcess(child, settings.environment.PATH, (cause) =>
      startFailed(server.command, cause),
    );
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) return followed.spawned;
    running = { process: followed, queue: createWriteQueue(stdin) };
    stdout.on("data", (chunk: Buffer) => {
      // Many chunks are read in one turn of the event loop: a server that floods would let no timer and no signal through.
      if (inbound.push(chunk) < manyLines || closed) return;
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    stderr.on("data", (chunk: Buffer) => tail.push(chunk));
    // A failed write is told by its callback, and a server without input or output is of no use.
    stdin.on("error", () => {});
    for (const output of [stdout, stderr]) output.on("error", report);
    await followed.spawned;
    for (const pipe of [stdin, stdout]) pipe.once("close", () => void transport.close());
    void followed.ended.then(finish);
  }

  async function end(steps: (pid: number, queue: WriteQueue) => readonly EndStep[], graceMs?: number) {
    const pid = running?.process.pid ?? null;
    if (running && pid !== null) await running.process.end(steps(pid, running.queue), graceMs);
    finish();
  }

  const transport: StdioTransport = {
    onclose: undefined,
    onerror: undefined,
    onmessage: undefined,
    get pid() {
      return running?.process.exit() ? null : (running?.process.pid ?? null);
    },
    start() {
      started ??= launch();
      return started;
    },
    send(message) {
      if (!running || closing || running.process.exit()) return Promise.reject(notSent(endReason()));
      return running.queue.send(`${JSON.stringify(message)}\n`);
    },
    close() {
      closing ??= end((pid, queue) => [
        { act: () => queue.end("The connection to the server is closed"), waitMs: politeMs },
        { act: () => signalGroup(pid, "SIGTERM"), waitMs: terminateMs },
      ]);
      return closing;
    },
    kill() {
      const killed = end((pid) => [{ act: () => signalGroup(pid, "SIGTERM"), waitMs: hastyMs }], hastyMs);
      closing ??= killed;
      return killed;
    },
    exit: () => (running?.process.pid == null ? null : running.process.exit()),
    stderrTail: () => tail.text(),
    skippedLines: () => skipped.count(),
    skippedSamples: () => skipped.samples(),
  };
  return transport;
}
