import { type FileHandle, open } from "node:fs/promises";
import { readable } from "./private-file.ts";

const blockBytes = 64 * 1024;
/** Longer lines are passed over: no record is as long. */
const maxLineBytes = 64 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

async function readBlock(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const block = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < block.length) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

/**
 * The whole lines of a file from the last to the first, a block at a time: the newest records of a long log are read
 * without the old ones. A last line without its line break is left out, and so are lines that are no UTF-8 or longer
 * than 64 MiB. Rejects with what the system says when the file cannot be read.
 */
export async function* readLinesBackward(path: string): AsyncGenerator<string> {
  const file = await open(path, readable);
  try {
    const { size } = await file.stat();
    /** The parts of the line whose beginning is not found yet, last part first. */
    let parts: Buffer[] = [];
    let bytes = 0;
    // What is behind the last line break is no line yet.
    let torn = true;
    const take = (part: Buffer): void => {
      bytes += part.length;
      if (bytes <= maxLineBytes) parts.push(part);
      else parts = [];
    };
    const line = (): string | null => {
      const text = torn || bytes > maxLineBytes ? null : decode(Buffer.concat(parts.reverse()));
      parts = [];
      bytes = 0;
      torn = false;
      return text;
    };
    for (let end = size; end > 0; end -= blockBytes) {
      const block = await readBlock(file, Math.max(0, end - blockBytes), end);
      let to = block.length;
      for (let at = block.lastIndexOf(10); at !== -1; at = at === 0 ? -1 : block.lastIndexOf(10, at - 1)) {
        take(block.subarray(at + 1, to));
        const text = line();
        if (text !== null) yield text;
        to = at;
      }
      take(block.subarray(0, to));
    }
    const first = torn ? null : line();
    if (first !== null) yield first;
  } finally {
    await file.close();
  }
}
