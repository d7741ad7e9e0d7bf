import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { type ChainPosition, noHash } from "../util/hash-chain.ts";
import { isObject } from "../util/own.ts";
import { noFollow, privateMode } from "./private-file.ts";

const flushFile = promisify(fdatasync);

/** What a heads file says of one log file: its newest durable record. `seq` is 0 before the first. */
export interface Head extends ChainPosition {
  /** Name of the log file without its extension. */
  readonly file: string;
  /** Ed25519 signature in base64url, where the host has a key. */
  readonly sig?: string;
}

/** Signs a head; null where there is no key. */
export type SignHead = ((head: Head) => string) | null;

/** The place of one log file in its principal's heads file. */
export interface HeadSlot {
  /** The newest head of an earlier file that has records, or null. */
  readonly previous: Head | null;
  /** Overwrites the slot in place; neither locks nor flushes. */
  update(position: ChainPosition): void;
  close(): void;
}

/** Bytes of a slot. A fixed width lets each process overwrite its own slot while others append theirs. */
const slotBytes = 256;
const slotStart = '{"file":"';
/** A name becomes part of a path. */
const fileName = /^[0-9]{8}T[0-9]{6}Z_[0-9a-f]{16}$/;
const hexHash = /^[0-9a-f]{64}$/;
const signature = /^[A-Za-z0-9_-]{86}$/;

function slotText(head: Head): string {
  const { file, seq, hash, sig } = head;
  return `${JSON.stringify({ file, seq, hash, ...(sig === undefined ? {} : { sig }) }).padEnd(slotBytes - 1)}\n`;
}

function parseHead(line: string): Head | null {
  let value: unknown;
  try {
    // A full disk may have left a part of an older slot in front.
    value = JSON.parse(line.slice(Math.max(0, line.lastIndexOf(slotStart))));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { file, seq, hash } = value;
  if (typeof file !== "string" || !fileName.test(file)) return null;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) return null;
  if (typeof hash !== "string" || !hexHash.test(hash)) return null;
  const { sig } = value;
  if (sig !== undefined && (typeof sig !== "string" || !signature.test(sig))) return null;
  return { file, seq, hash, ...(sig === undefined ? {} : { sig }) };
}

/** The heads in a heads file's text, oldest first, and how many lines are none. */
export function parseHeads(text: string): { readonly heads: readonly Head[]; readonly unreadable: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const heads = lines.map(parseHead).filter((head) => head !== null);
  return { heads, unreadable: lines.length - heads.length };
}

function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Finds a slot from the end of the file, and the newest earlier head that has records. */
function locate(fd: number, file: string): { offset: number; previous: Head | null } {
  const { size } = fstatSync(fd);
  const mark = `${slotStart}${file}"`;
  for (let window = 64 * 1024; ; window *= 16) {
    const start = Math.max(0, size - window);
    const bytes = readRange(fd, start, size);
    const index = bytes.lastIndexOf(mark);
    const earlier = index === -1 ? [] : parseHeads(bytes.toString("utf8", 0, index)).heads;
    const previous = earlier.findLast((head) => head.seq > 0) ?? null;
    if (index !== -1 && (previous !== null || start === 0)) return { offset: start + index, previous };
    if (start === 0) throw new Error("the heads file lost what was written to it");
  }
}

function appendSlot(path: string, slot: Buffer): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | noFollow;
  const fd = openSync(path, flags, privateMode);
  try {
    if (writeSync(fd, slot) !== slot.length) throw new Error("no space is left for its head");
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Adds a slot for a new log file. A small appending write is atomic between processes, so no lock is needed: each
 * file continues the newest head among the slots before its own.
 */
export async function addHeadSlot(path: string, file: string, sign: SignHead = null): Promise<HeadSlot> {
  const appender = appendSlot(path, Buffer.from(slotText({ file, seq: 0, hash: noHash })));
  let offset: number;
  let previous: Head | null;
  try {
    await flushFile(appender);
    ({ offset, previous } = locate(appender, file));
  } finally {
    closeSync(appender);
  }
  const fd = openSync(path, constants.O_WRONLY | noFollow);
  return {
    previous,
    update(position) {
      const head = { file, ...position };
      const slot = Buffer.from(slotText(sign === null ? head : { ...head, sig: sign(head) }));
      if (writeSync(fd, slot, 0, slot.length, offset) !== slot.length) {
        throw new Error("its head was written in part");
      }
    },
    close: () => closeSync(fd),
  };
}
