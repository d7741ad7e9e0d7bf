import { closeSync, constants, fdatasync, fstatSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { HostError } from "../errors.ts";
import { noFollow, privateMode } from "./private-file.ts";

const flushFile = promisify(fdatasync);

/** A file of lines that only grows. */
export interface AppendFile {
  /** Length of the file with everything written so far. */
  readonly bytes: number;
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

/**
 * A line of so many characters is written when it comes, with those that wait: held until the flush, the texts of many
 * conversations would fill the old part of the heap.
 */
const longLine = 1024;

/** Lines that are flushed together; all their writers wait for the same promise. */
interface Group {
  /** Those that are not written yet. */
  lines: string[];
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

/** Written at once, as that is cheapest. A write may take a part only, as on a full disk. Returns the bytes written. */
function writeText(fd: number, text: string): number {
  const bytes = Buffer.from(text, "utf8");
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, bytes.length - written);
  }
  return bytes.length;
}

const flags = {
  new: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  existing: constants.O_WRONLY | constants.O_APPEND | noFollow,
};

/** What an open file has taken, and how far that has come. */
interface Appending {
  readonly fd: number;
  readonly settings: AppendFileSettings;
  waiting: Group | null;
  flushing: Promise<void> | null;
  flushingGroup: Group | null;
  linger: ReturnType<typeof setTimeout> | undefined;
  failure: HostError | null;
  closing: Promise<void> | null;
  /** Written in front of the first line. */
  prefix: string;
  /** The last line that was written, for `onFlushed`. */
  lastLine: string;
  lines: number;
  bytes: number;
}

/** Opens a file for appending. Throws what the system throws. */
export function openAppendFile(settings: AppendFileSettings): AppendFile {
  const { firstLine } = settings;
  const fd = openSync(settings.path, flags[settings.open], privateMode);
  const file: Appending = {
    fd,
    settings,
    waiting: null,
    flushing: null,
    flushingGroup: null,
    linger: undefined,
    failure: null,
    closing: null,
    prefix: firstLine === undefined ? "" : `${firstLine}\n`,
    lastLine: "",
    lines: firstLine === undefined ? 0 : 1,
    bytes: settings.open === "new" ? 0 : fstatSync(fd).size,
  };
  return {
    get bytes() {
      return file.bytes;
    },
    append: (line) => append(file, line),
    flush: () => flush(file),
    close() {
      file.closing ??= close(file);
      return file.closing;
    },
  };
}

function append(file: Appending, line: string): Promise<void> {
  if (file.failure !== null) return Promise.reject(file.failure);
  if (file.closing !== null) return Promise.reject(file.settings.fail(new Error("it is closed")));
  if (file.waiting === null) {
    file.waiting = newGroup();
    // Whoever waits for the group is told; when nobody does, the next call tells.
    file.waiting.flushed.catch(() => {});
    file.linger = setTimeout(() => void flush(file).catch(() => {}), lingerMs);
  }
  if (line.length < longLine) file.waiting.lines.push(line);
  else writeEarly(file, file.waiting, line);
  return file.waiting.flushed;
}

function flush(file: Appending): Promise<void> {
  const { waiting, flushingGroup, failure } = file;
  if (waiting === null)
    return flushingGroup?.flushed ?? (failure === null ? Promise.resolve() : Promise.reject(failure));
  file.flushing ??= flushAll(file);
  return waiting.flushed;
}

async function flushAll(file: Appending): Promise<void> {
  // Everything that is appended in the same turn of the event loop goes into the first group.
  await new Promise((resolve) => setImmediate(resolve));
  for (let group = file.waiting; group !== null; group = file.waiting) {
    file.waiting = null;
    file.flushingGroup = group;
    clearTimeout(file.linger);
    // What fails while a group is flushed is not its own.
    try {
      if (file.failure !== null) throw file.failure;
      await writeGroup(file, group);
      group.resolve();
    } catch (error) {
      file.failure ??= file.settings.fail(error);
      group.reject(file.failure);
    }
  }
  file.flushingGroup = null;
  file.flushing = null;
}

/**
 * Writes a long line behind those that wait; a failure is told by the flush that is to come. It is not put with the
 * others: while their list is in the old part of the heap, whatever was in it stays there too.
 */
function writeEarly(file: Appending, group: Group, line: string): void {
  const lines = [...group.lines, line];
  group.lines = [];
  try {
    writeLines(file, lines);
  } catch (error) {
    file.failure = file.settings.fail(error);
  }
}

function writeLines(file: Appending, lines: readonly string[]): void {
  if (lines.length === 0) return;
  file.bytes += writeText(file.fd, `${file.prefix}${lines.join("\n")}\n`);
  file.prefix = "";
  file.lines += lines.length;
  if (file.settings.onFlushed !== undefined) file.lastLine = lines.at(-1) ?? "";
}

async function writeGroup(file: Appending, group: Group): Promise<void> {
  writeLines(file, group.lines);
  // A flush may take long.
  group.lines = [];
  // Lines of the next group may be written while these are flushed.
  const { lastLine, lines } = file;
  await flushFile(file.fd);
  file.settings.onFlushed?.(lastLine, lines);
}

async function close(file: Appending): Promise<void> {
  await flush(file).catch(() => {});
  await file.flushing;
  file.failure ??= file.settings.fail(new Error("it is closed"));
  closeSync(file.fd);
}
