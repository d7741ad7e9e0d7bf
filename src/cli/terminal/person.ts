import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import { pipedSource } from "./piped-input.ts";

/** Somebody who can be asked, and the keys they press. */
export interface Person {
  readonly input: NodeJS.ReadStream;
  close(): void;
}

/**
 * The person at the terminal; null where there is none to see a question or to answer it. Something piped into the
 * command takes the place of the keyboard, not of the person. Without input (`< /dev/null`) nobody wants to be asked.
 */
export function openPerson(): Person | null {
  const { stdin, stderr } = process;
  if (!stderr.isTTY) return null;
  if (stdin.isTTY) return { input: stdin, close() {} };
  const source = pipedSource();
  if (source !== "pipe" && source !== "file") return null;
  try {
    const input = new ReadStream(openSync("/dev/tty", "r+"));
    return { input, close: () => void input.destroy() };
  } catch {
    // No terminal of its own, or a system that has no such file.
    return null;
  }
}
