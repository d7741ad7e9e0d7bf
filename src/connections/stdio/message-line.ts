import { isObject } from "../../util/own.ts";

const byteOrderMark = 0xfeff;
const beginsMessage = /^\s*[{[]/;

/**
 * The JSON-RPC messages of one line: none for a blank line, null for text that is no message. Objects that only look
 * like one are passed on, for the ingest above repairs what can be repaired; an array is a batch (MCP 2025-03-26).
 */
export function parseMessageLine(line: string): Record<string, unknown>[] | null {
  const text = line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line;
  // What no message begins with is not given to the parser: its errors cost so much that a flood of text would stop everything else.
  if (!beginsMessage.test(text)) return text.trim() === "" ? [] : null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages = members.filter(isMessage);
  return messages.length > 0 ? messages : null;
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ["jsonrpc", "id", "method"].some((name) => Object.hasOwn(value, name));
}

/** Lines that were no message: how many, and the beginnings of the first few, redacted. */
export interface SkippedLines {
  add(line: string): void;
  count(): number;
  samples(): readonly string[];
}

const mostSamples = 5;
const sampleCharacters = 200;

/** Kept of a line, so that a secret is redacted whole before the sample is cut. */
const keptCharacters = 4096;

export function createSkippedLines(redact: (text: string) => string): SkippedLines {
  const kept: string[] = [];
  let count = 0;
  return {
    add(line) {
      count++;
      if (kept.length >= mostSamples) return;
      // Copied, as a mere slice would hold the whole line in memory.
      kept.push(Buffer.from(line.trim().slice(0, keptCharacters)).toString());
    },
    count: () => count,
    samples: () => kept.map((line) => redact(line).slice(0, sampleCharacters)),
  };
}
