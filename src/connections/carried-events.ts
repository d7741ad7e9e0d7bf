import type { CarriedAnswers } from "./carried-answers.ts";
import type { RequestId } from "./pending.ts";

/** Answers of one stream that may still be on their way when it is cancelled. */
const mostOpen = 100;

/**
 * Server-sent events, their lines ended by line feeds, with carriers in the place of the answers in them. An answer whose
 * event has another name is one, and so is one behind which the stream ends without the blank line that SSE asks for: a
 * call that ran is not lost for that.
 */
export function carryEvents(
  body: ReadableStream<Uint8Array>,
  request: RequestId | null,
  answers: CarriedAnswers,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const events = createEventCutter();
  let open: unknown[] = [];
  const failures: unknown[] = [];

  function rewritten(event: string, isWhole: boolean): string {
    const data = dataOf(event);
    const message = data === "" ? undefined : parsed(data);
    if (message === undefined) return isWhole ? `${event}\n` : event;
    const carried = answers.carryAll(message, request);
    if (carried === message) return `${event}${event.endsWith("\n") ? "" : "\n"}\n`;
    const members = Array.isArray(carried) ? carried : [carried];
    open = [...open, ...members].slice(-mostOpen);
    const fields = event.split("\n").filter((line) => /^(?:id|retry):/.test(line));
    return members
      .map((one, index) =>
        [...(index === 0 ? fields : []), `data: ${JSON.stringify(one)}`, "", ""].join("\n"),
      )
      .join("");
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (failures.length > 0) throw failures[0];
      for (;;) {
        const { done, value } = await reader.read().catch((thrown: unknown) => {
          failures.push(thrown);
          return { done: true, value: undefined };
        });
        const whole = events.push(decoder.decode(value, { stream: !done }));
        const last = done ? rewritten(events.rest(), false) : "";
        const text = whole.map((event) => rewritten(event, true)).join("") + last;
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (done && failures.length === 0) controller.close();
        if (done && failures.length > 0 && text === "") throw failures[0];
        if (done || text !== "") return;
      }
    },
    async cancel(reason) {
      for (const carrier of open) answers.drop(carrier);
      await reader.cancel(reason);
    },
  });
}

/** Cuts a text that comes in pieces into events; each byte is looked at once. */
function createEventCutter(): { push(text: string): string[]; rest(): string } {
  let held = "";
  let isLineStart = true;
  return {
    push(text) {
      const events: string[] = [];
      let from = 0;
      for (;;) {
        const found = isLineStart && text[from] === "\n" ? from : text.indexOf("\n\n", from) + 1;
        if (found === 0 && !(isLineStart && text[from] === "\n")) break;
        events.push(held + text.slice(from, found));
        held = "";
        from = found + 1;
        isLineStart = true;
      }
      held += text.slice(from);
      if (from < text.length) isLineStart = text.endsWith("\n");
      return events;
    },
    rest: () => held,
  };
}

/** The data of an event, its lines joined (HTML, 9.2.6). */
function dataOf(event: string): string {
  if (event.startsWith("data:") && event.indexOf("\n") >= event.length - 1) return event.slice(5);
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice(line.startsWith("data: ") ? 6 : 5)).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
