import { open } from "node:fs/promises";
import { readable } from "./private-file.ts";

/** A line of a file. `text` is null where the bytes are not UTF-8 or the line is longer than allowed. */
export interface FileLine {
  readonly text: string | null;
  /** False for a last line without its line break: its writer was stopped, or writes at this moment. */
  readonly complete: boolean;
  /** Its length in the file, with its line break. */
  readonly bytes: number;
}

/** Longer lines are not read: no record is as long. */
const maxLineBytes = 64 * 1024 * 1024;

/** Strict, and keeps a byte order mark: two different byte sequences never give the same text. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(parts: readonly Buffer[], bytes: number): string | null {
  if (bytes > maxLineBytes) return null;
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    return null;
  }
}

/** The lines of a file, broken at the byte 0x0A only. Rejects with what the system says when it cannot be read. */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const file = await open(path, readable);
  for await (const chunk of file.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield { text: decode(parts, bytes), complete: true, bytes: bytes + 1 };
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (bytes > 0) yield { text: decode(parts, bytes), complete: false, bytes };
}
