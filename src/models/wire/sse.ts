/** One event of the stream. */
export interface ServerSentEvent {
  /** `message` when the stream gave no name. */
  readonly event: string;
  readonly data: string;
}

/** Splits text into server-sent events (HTML standard, section 9.2). Feed it the pieces as they arrive. */
export interface SseParser {
  /** The events that this piece completes. */
  push(text: string): ServerSentEvent[];
}

export function createSseParser(): SseParser {
  let pending = "";
  /** How much of `pending` holds no line ending: it is not searched again. */
  let searched = 0;
  /** Whether the last piece ended in a carriage return: a line feed at the start of the next one belongs to it. */
  let afterReturn = false;
  let event = "";
  let lines: string[] = [];

  const takeLine = (line: string): ServerSentEvent | null => {
    if (line === "") {
      const complete = lines.length === 0 ? null : { event: event || "message", data: lines.join("\n") };
      event = "";
      lines = [];
      return complete;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") event = value;
    else if (field === "data") lines.push(value);
    return null;
  };

  return {
    push(text) {
      pending += afterReturn && text.startsWith("\n") ? text.slice(1) : text;
      if (text !== "") afterReturn = text.endsWith("\r");
      const found: ServerSentEvent[] = [];
      let start = 0;
      for (let end = nextLineEnd(pending, searched); end !== -1; end = nextLineEnd(pending, start)) {
        const complete = takeLine(pending.slice(start, end));
        if (complete !== null) found.push(complete);
        start = end + (pending[end] === "\r" && pending[end + 1] === "\n" ? 2 : 1);
      }
      pending = pending.slice(start);
      searched = pending.length;
      return found;
    },
  };
}

function nextLineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  const stop = feed === -1 ? text.length : feed;
  for (let at = from; at < stop; at += 1) if (text.charCodeAt(at) === 13) return at;
  return feed;
}
