import { fstatSync } from "node:fs";
import { HostError } from "../../errors.ts";

/** What was piped into the command. */
export interface PipedInput {
  readonly text: string;
  /** Bytes of the text. */
  readonly bytes: number;
  /** True when there was more, which was not read. */
  readonly cut: boolean;
}

/** What can be waited for on standard input: nothing at a terminal, in `/dev/null` or where it is closed. */
type Source = "file" | "pipe" | "socket" | null;

/** How long the first byte may take, in ms. A socket is what another program opens by default, and seldom writes to. */
const firstByteMs = { file: 3_000, pipe: 3_000, socket: 500 } as const;
/** Between two pieces. */
const idleMs = 60_000;
/** About 64,000 tokens. */
export const mostPipedBytes = 262_144;

/** What standard input is, by its file descriptor. */
export function pipedSource(descriptor = 0): Source {
  try {
    const status = fstatSync(descriptor);
    if (status.isFile()) return "file";
    if (status.isFIFO()) return "pipe";
    return status.isSocket() ? "socket" : null;
  } catch {
    return null;
  }
}

export interface PipedSettings {
  readonly source: Source;
  readonly signal: AbortSignal;
  /** Called when nothing came in time. */
  readonly onNothing: (waitedMs: number) => void;
  /** Limits for tests. */
  readonly firstByteMs?: number;
  readonly idleMs?: number;
}

/**
 * Reads what is piped in, up to `mostPipedBytes`. Null where there is nothing: no pipe, an empty one, or one that nobody
 * writes to.
 * @throws HostError `input_invalid`: it is not text, or it did not end; `aborted`
 */
export async function readPipedInput(
  input: () => NodeJS.ReadableStream,
  settings: PipedSettings,
): Promise<PipedInput | null> {
  if (settings.source === null) return null;
  const firstMs = settings.firstByteMs ?? firstByteMs[settings.source];
  const stream = input();
  const read = await readChunks(stream, firstMs, settings);
  // Whoever still writes learns that nobody reads.
  if ("destroy" in stream && typeof stream.destroy === "function") stream.destroy();
  if (read === null) {
    settings.onNothing(firstMs);
    return null;
  }
  const bytes = Math.min(read.length, mostPipedBytes);
  if (bytes === 0) return null;
  const cut = read.length > mostPipedBytes;
  return { text: textOf(read.subarray(0, bytes), cut), bytes, cut };
}

/** The bytes, at most one piece more than wanted; null when none came in time. */
function readChunks(
  stream: NodeJS.ReadableStream,
  firstMs: number,
  { signal, idleMs: idle = idleMs }: PipedSettings,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      stream.removeAllListeners("data");
      stream.pause();
      settle();
    };
    const aborted = (): void => end(() => reject(new HostError("aborted", "Interrupted.")));
    const late = (): void => end(() => (length === 0 ? resolve(null) : reject(endless(idle))));
    let timer = setTimeout(late, firstMs);
    signal.addEventListener("abort", aborted, { once: true });
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      clearTimeout(timer);
      if (length > mostPipedBytes) end(() => resolve(Buffer.concat(chunks)));
      else timer = setTimeout(late, idle);
    });
    stream.on("end", () => end(() => resolve(Buffer.concat(chunks))));
    stream.on("error", () => end(() => resolve(Buffer.concat(chunks))));
    if (signal.aborted) aborted();
  });
}

function endless(idle: number): HostError {
  return new HostError(
    "input_invalid",
    `Standard input did not end within ${idle / 1000} s of its last byte: end what writes to it, or write < /dev/null to pass nothing.`,
  );
}

function textOf(bytes: Buffer, cut: boolean): string {
  if (bytes.includes(0)) {
    throw new HostError("input_invalid", "Standard input is not text. To pass nothing: < /dev/null");
  }
  // A character that the limit cut in two is left out.
  return new TextDecoder().decode(bytes, { stream: cut });
}
