import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import {
  type ChainPosition,
  type ChainProblem,
  createChainCheck,
  readChainedLine,
} from "../util/hash-chain.ts";
import type { Head } from "./audit-heads.ts";
import { nativeHash } from "./native-hash.ts";
import { noFollow } from "./private-file.ts";
import { readLines } from "./read-lines.ts";
import { systemCode } from "./store-error.ts";

/** Where a new file of the log goes on, and what is wrong with the file before. */
export interface FollowedLog {
  readonly file: string;
  readonly position: ChainPosition;
  readonly problem: ChainProblem | null;
}

/** Bytes that are looked at first; more only where a record is longer. */
const tailBytes = 64 * 1024;

/** The whole lines at the end of a file, at least one where it has one. */
function lastLines(fd: number): readonly string[] {
  const { size } = fstatSync(fd);
  for (let window = tailBytes; ; window *= 16) {
    const start = Math.max(0, size - window);
    const bytes = Buffer.alloc(size - start);
    const count = readSync(fd, bytes, 0, bytes.length, start);
    const lines = bytes
      .toString("utf8", 0, count)
      .split("\n")
      .slice(start === 0 ? 0 : 1, -1);
    if (lines.length > 0 || start === 0) return lines;
  }
}

/** The last record, or null when the lines are no chain that holds the head and ends at it or after it. */
function goodEnd(lines: readonly string[], head: Head): ChainPosition | null {
  let position: ChainPosition | null = null;
  for (const line of lines) {
    const record = readChainedLine(line, nativeHash);
    if (record === null) return null;
    const { seq, hash } = record.position;
    if (position !== null && (seq !== position.seq + 1 || record.prev !== position.hash)) return null;
    if (seq === head.seq && hash !== head.hash) return null;
    position = record.position;
  }
  return position !== null && position.seq >= head.seq ? position : null;
}

/** Reads a file of the log from its beginning, to name the first record that is not as it was written. */
async function firstProblem(path: string, head: Head): Promise<ChainProblem | null> {
  const check = createChainCheck({ head, hashText: nativeHash });
  for await (const { text, complete } of readLines(path)) {
    if (!complete) break;
    const problem = check.add(text);
    if (problem !== null) return problem;
  }
  return check.end();
}

function unreadable(error: unknown): ChainProblem {
  const code = systemCode(error);
  return {
    seq: 1,
    problem: code === "ENOENT" ? "The file was removed." : `The file cannot be read (${code}).`,
  };
}

/**
 * The last good record of an earlier file, whose end is checked: its process may have died between flushing and noting
 * its head. It is flushed before it is trusted, as its writer may not have done so. Of a file that was changed the head
 * is what a new one goes on from.
 */
export async function followLog(path: string, head: Head): Promise<FollowedLog> {
  const { file } = head;
  try {
    const fd = openSync(path, constants.O_RDWR | noFollow);
    try {
      const position = goodEnd(lastLines(fd), head);
      if (position !== null) {
        if (position.seq > head.seq) fsyncSync(fd);
        return { file, position, problem: null };
      }
    } finally {
      closeSync(fd);
    }
    return { file, position: head, problem: await firstProblem(path, head) };
  } catch (error) {
    return { file, position: head, problem: unreadable(error) };
  }
}
