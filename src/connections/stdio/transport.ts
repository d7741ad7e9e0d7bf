import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError, toHostError } from "../../errors.ts";
import { serverEnvironment } from "./environment.ts";
import { createInbound } from "./inbound.ts";
import type { LineReader } from "./line-reader.ts";
import { markName, newMark } from "./marked-processes.ts";
import { createSkippedLines } from "./message-line.ts";
import { signalGroup } from "./process-group.ts";
import { type EndStep, followProcess, type ProcessExit, type ServerProcess } from "./server-process.ts";
import { type ServerCommand, spawnServer, startFailed } from "./spawn.ts";
import { openStderrFile, type StderrFile } from "./stderr-file.ts";
import { createTail, type Tail } from "./tail.ts";
import { createWriteQueue, notSent, type WriteQueue } from "./write-queue.ts";

export interface StdioTransportSettings {
  /** The host's whole environment, of which the server gets the allow-listed part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Longest line that is taken; a longer one fails the one call that it answers. */
  readonly messageBytes: number;
  readonly stderrTailBytes: number;
  /** Path of a file that gets all of stderr; absolute. */
  readonly stderrFile?: string;
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

/** A transport's own view of its server. */
interface Link {
  readonly transport: StdioTransport;
  readonly server: ServerCommand;
  readonly settings: StdioTransportSettings;
  readonly inbound: LineReader;
  readonly tail: Tail;
  stderr: StderrFile | null;
  running: { readonly process: ServerProcess; readonly queue: WriteQueue } | null;
  started: Promise<void> | null;
  closing: Promise<void> | null;
  /** The end has been told: nothing is delivered any more. */
  closed: boolean;
}

export function createStdioTransport(
  server: ServerCommand,
  settings: StdioTransportSettings,
): StdioTransport {
  const tail = createTail(settings.stderrTailBytes, settings.redact);
  const skipped = createSkippedLines(settings.redact);
  const transport: StdioTransport = {
    onclose: undefined,
    onerror: undefined,
    onmessage: undefined,
    get pid() {
      return link.running?.process.exit() ? null : (link.running?.process.pid ?? null);
    },
    start() {
      link.started ??= launch(link);
      return link.started;
    },
    send: (message) => send(link, message),
    close() {
      link.closing ??= end(link, politely);
      return link.closing;
    },
    kill() {
      const killed = end(link, hastily, hastyMs);
      link.closing ??= killed;
      return killed;
    },
    exit: () => (link.running?.process.pid == null ? null : link.running.process.exit()),
    stderrTail: () => tail.text(),
    skippedLines: () => skipped.count(),
    skippedSamples: () => skipped.samples(),
  };
  const inbound = createInbound(settings.messageBytes, skipped, {
    deliver: (message) => deliver(link, message),
    reply: (message) => void send(link, message).catch((thrown) => report(link, thrown)),
    report: (error) => report(link, error),
  });
  const link: Link = {
    transport,
    server,
    settings,
    inbound,
    tail,
    stderr: null,
    running: null,
    started: null,
    closing: null,
    closed: false,
  };
  return transport;
}

async function launch(link: Link): Promise<void> {
  const { server, settings, transport } = link;
  if (link.closing !== null)
    throw new HostError("closed", "The connection to the server is closed; make a new one.");
  const { stderrFile, redact } = settings;
  if (stderrFile !== undefined) link.stderr = openStderrFile(stderrFile, { redact });
  const mark = newMark();
  const environment = { ...serverEnvironment(settings.environment, server.env), [markName]: mark };
  const child = spawnServer(server, environment);
  const followed = followProcess(child, mark, settings.environment.PATH, (cause) =>
    startFailed(server.command, cause),
  );
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) return followed.spawned;
  link.running = { process: followed, queue: createWriteQueue(stdin) };
  readOutput(link, stdout, stderr);
  // A failed write is told by its callback, and a server without input or output is of no use.
  stdin.on("error", () => {});
  await followed.spawned;
  for (const pipe of [stdin, stdout]) pipe.once("close", () => void transport.close());
  void followed.ended.then(() => finish(link));
}

function readOutput(link: Link, stdout: Readable, stderr: Readable): void {
  stdout.on("data", (chunk: Buffer) => {
    // Many chunks are read in one turn of the event loop: a server that floods would let no timer and no signal through.
    if (link.inbound.push(chunk) < manyLines || link.closed) return;
    stdout.pause();
    setImmediate(() => stdout.resume());
  });
  stderr.on("data", (chunk: Buffer) => {
    link.tail.push(chunk);
    link.stderr?.push(chunk);
  });
  for (const output of [stdout, stderr]) output.on("error", (error) => report(link, error));
}

function deliver(link: Link, message: Record<string, unknown>): void {
  if (link.closed) return;
  try {
    // Whether it keeps to the protocol is the business of the ingest above.
    link.transport.onmessage?.(message as unknown as JSONRPCMessage);
  } catch (thrown) {
    report(link, thrown);
  }
}

function report(link: Link, thrown: unknown): void {
  link.transport.onerror?.(toHostError(thrown, "server_protocol"));
}

function send(link: Link, message: JSONRPCMessage): Promise<void> {
  const { running, closing } = link;
  if (running === null || closing !== null || running.process.exit() !== null)
    return Promise.reject(notSent(endReason(link)));
  return running.queue.send(`${JSON.stringify(message)}\n`);
}

/** What is done to a running server to end it. */
type Ending = (pid: number, queue: WriteQueue) => readonly EndStep[];

const politely: Ending = (pid, queue) => [
  { act: () => queue.end("The connection to the server is closed"), waitMs: politeMs },
  { act: () => signalGroup(pid, "SIGTERM"), waitMs: terminateMs },
];

const hastily: Ending = (pid) => [{ act: () => signalGroup(pid, "SIGTERM"), waitMs: hastyMs }];

async function end(link: Link, ending: Ending, graceMs?: number): Promise<void> {
  const { running } = link;
  const pid = running?.process.pid ?? null;
  if (running && pid !== null) await running.process.end(ending(pid, running.queue), graceMs);
  finish(link);
  await link.stderr?.end();
}

function finish(link: Link): void {
  if (link.closed) return;
  link.inbound.end();
  link.closed = true;
  void link.stderr?.end();
  link.running?.queue.fail(endReason(link));
  try {
    link.transport.onclose?.();
  } catch (thrown) {
    report(link, thrown);
  }
}

function endReason({ running, closing }: Link): string {
  const exit = running?.process.exit();
  if (!exit) return closing !== null ? "The connection to the server is closed" : "The server is not running";
  if (exit.signal !== null) return `The server was ended by ${exit.signal}`;
  return exit.code === null ? "The server has ended" : `The server has exited with code ${exit.code}`;
}
