import { closeSync, constants, fdatasync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { HostError } from "../errors.ts";
import { privateMode } from "./private-file.ts";

const flushFile = promisify(fdatasync);

/** A file of lines that only grows. */
export interface AppendFile {
  /**
   * Resolves once the line, and every one before it, is on the disk: at the next flush, which comes by itself within
   * 25 ms. After the first failure this and every later call rejects: what is behind a hole is worth nothing.
   */
  append(line: string): Promise<void>;
  /** Flushes now. Resolves once every line appended so far is on the disk. */
  flush(): Promise<void>;
  /** Flushes what waits and closes the file; appends reject from then on. Safe to call twice. */
  close(): Promise<void>;
}

export interface AppendFileSettings {
  readonly path: string;
  /** `new` refuses a file that exists; `existing` refuses one that does not. */
  readonly open: "new" | "existing";
  /** Written in front of the first appended line. */
  readonly firstLine?: string;
  /** The error for callers. */
  readonly fail: (cause: unknown) => HostError;
  /** Called after each flush with the last line written and the number of lines so far; may throw. */
  readonly onFlushed?: (lastLine: string, lines: number) => void;
}

/** How long a line waits for others when nobody waits for it, in ms: one flush costs as much as many lines. */
const lingerMs = 25;

/** Lines that are flushed together; all their writers wait for the same promise. */
interface Group {
  readonly lines: string[];
  readonly flushed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: HostError) => void;
}

function newGroup(): Group {
  let resolve: () => void = () => {};
  let reject: (error: HostError) => void = () => {};
  const flushed = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { lines: [], flushed, resolve, reject };
}

/** Written at once, as that is cheapest; flushed in the background. A write may take a part only, as on a full disk. */
async function writeAndFlush(fd: number, text: string): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, bytes.length - written);
  }
  await flushFile(fd);
}

const flags = {
  new: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  existing: constants.O_WRONLY | constants.O_APPEND,
};

/** Opens a file for appending. Throws what the system throws. */
export function openAppendFile(settings: AppendFileSettings): AppendFile {
  const fd = openSync(settings.path, flags[settings.open], privateMode);
  let waiting: Group | null = null;
  let flushing: Promise<void> | null = null;
  let flushingGroup: Group | null = null;
  let linger: ReturnType<typeof setTimeout> | undefined;
  let failure: HostError | null = null;
  let closing: Promise<void> | null = null;
  let prefix = settings.firstLine === undefined ? "" : `${settings.firstLine}\n`;
  let lines = prefix === "" ? 0 : 1;

  async function flushAll(): Promise<void> {
    // Everything that is appended in the same turn of the event loop goes into the first group.
    await new Promise((resolve) => setImmediate(resolve));
    for (let group = waiting; group !== null; group = waiting) {
      waiting = null;
      flushingGroup = group;
      clearTimeout(linger);
      try {
        if (failure === null) {
          await writeAndFlush(fd, `${prefix}${group.lines.join("\n")}\n`);
          prefix = "";
          lines += group.lines.length;
          settings.onFlushed?.(group.lines.at(-1) ?? "", lines);
        }
      } catch (error) {
        failure = settings.fail(error);
      }
      if (failure === null) group.resolve();
      else group.reject(failure);
    }
    flushingGroup = null;
    flushing = null;
  }

  function flush(): Promise<void> {
    if (waiting === null)
      return flushingGroup?.flushed ?? (failure === null ? Promise.resolve() : Promise.reject(failure));
    const { flushed } = waiting;
    flushing ??= flushAll();
    return flushed;
  }

  async function close(): Promise<void> {
    await flush().catch(() => {});
    await flushing;
    failure ??= settings.fail(new Error("it is closed"));
    closeSync(fd);
  }

  return {
    append(line) {
      if (failure !== null) return Promise.reject(failure);
      if (closing !== null) return Promise.reject(settings.fail(new Error("it is closed")));
      if (waiting === null) {
        waiting = newGroup();
        // Whoever waits for the group is told; when nobody does, the next call tells.
        waiting.flushed.catch(() => {});
        linger = setTimeout(() => void flush().catch(() => {}), lingerMs);
      }
      waiting.lines.push(line);
      return waiting.flushed;
    },
    flush,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
