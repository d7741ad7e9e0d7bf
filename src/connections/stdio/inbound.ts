import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { HostError } from "../../errors.ts";
import { createLineReader, type LineReader, type OversizeLine } from "./line-reader.ts";
import { parseMessageLine, type SkippedLines } from "./message-line.ts";
import { oversizeAnswer, oversizeRefusal } from "./oversize-reply.ts";

/** Where the messages of a server go. None of these may throw. */
export interface InboundHandlers {
  deliver(message: Record<string, unknown>): void;
  /** Answers a request of the server. */
  reply(message: JSONRPCMessage): void;
  report(error: HostError): void;
}

/**
 * Turns a server's output into messages. A line over the limit fails only what it belongs to: an answer becomes an error
 * answer, a request is refused, a notification is dropped and reported.
 */
export function createInbound(limit: number, skipped: SkippedLines, handlers: InboundHandlers): LineReader {
  function oversize(line: OversizeLine): void {
    if (line.id !== undefined) {
      if (line.method === undefined) handlers.deliver(oversizeAnswer(line, limit));
      else handlers.reply(oversizeRefusal(line, limit));
      return;
    }
    const subject = line.method ?? "A line that is no answer";
    skipped.add(`${subject}: ${line.bytes} bytes`);
    const sentence = `${subject} has ${line.bytes} bytes, over the limit of ${limit}, and was dropped.`;
    handlers.report(new HostError("server_protocol", sentence));
  }

  return createLineReader(limit, {
    line(text) {
      const messages = parseMessageLine(text);
      if (messages === null) skipped.add(text);
      else for (const message of messages) handlers.deliver(message);
    },
    oversize,
  });
}
