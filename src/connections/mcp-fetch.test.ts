import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { whyNoReply } from "./call-failure.ts";
import { createCarriedAnswers } from "./carried-answers.ts";
import { createMcpFetch } from "./mcp-fetch.ts";

const call = { method: "POST", body: '{"jsonrpc":"2.0","method":"tools/call","id":7}' };

function answeredWith(
  response: Response,
  clock: ReturnType<typeof createTestClock> = createTestClock(),
): Promise<Response> {
  return createMcpFetch({
    fetch: async () => response,
    clock,
    messageBytes: 100_000,
    answers: untouched,
  })("http://x.test", call);
}

/** Leaves what it gets as it is. */
const untouched = { ...createCarriedAnswers(), carryAll: (message: unknown) => message };

/** A body that goes on for ever, or until it is cancelled. */
function endless(text: string): {
  body: ReadableStream<Uint8Array>;
  pieces: () => number;
  cancelled: () => boolean;
} {
  let pieces = 0;
  let isCancelled = false;
  const piece = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      controller.enqueue(piece);
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { body, pieces: () => pieces, cancelled: () => isCancelled };
}

test("of an error only the beginning of its body is read", async () => {
  const { body, pieces, cancelled } = endless("x".repeat(10_000));
  const response = await answeredWith(new Response(body, { status: 500 }));
  expect(response.status).toBe(500);
  expect((await response.text()).length).toBeLessThan(100_000);
  expect(pieces()).toBeLessThan(12);
  expect(cancelled()).toBe(true);
});

test("an error whose body does not come is an error without words, and nobody waits for more", async () => {
  const clock = createTestClock();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("half a")),
  });
  const answering = answeredWith(new Response(body, { status: 500 }), clock);
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1_000);
  const response = await answering;
  expect([response.status, await response.text()]).toEqual([500, "half a"]);
});

test("an event of many lines is limited as one of one line is", async () => {
  const { body, cancelled } = endless(`data: ${"y".repeat(10_000)}\n`);
  const headers = { "content-type": "text/event-stream" };
  const text = await (await answeredWith(new Response(body, { headers }))).text();
  expect(text.length).toBeLessThan(120_000);
  expect(text).toContain("is over the limit of 100000 bytes");
  expect(cancelled()).toBe(true);
});

test("many short events in one stream are no long one, wherever it is cut", async () => {
  const events = `data: ${"y".repeat(300)}\n\n`.repeat(400);
  for (const size of [301, 307, 308, 309, 4_096]) {
    const pieces = Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
      new TextEncoder().encode(events.slice(index * size, (index + 1) * size)),
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    const response = new Response(body, {
      headers: { "content-type": "text/event-stream" },
    });
    expect(await (await answeredWith(response)).text()).toBe(events);
  }
});

test("what a server says with the status of an error is told", () => {
  const failed = (text: string) =>
    whyNoReply(
      {
        sent: true,
        streamLost: false,
        error: null,
        sendError: Object.assign(new Error("x"), { data: { status: 400, text } }),
      } as never,
      null,
      false,
      "s",
    ).message;
  expect(failed('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"The quota is used up."}}')).toBe(
    'Server "s" answered with HTTP 400. It says: The quota is used up.',
  );
  expect(failed("no such project")).toBe('Server "s" answered with HTTP 400. It says: no such project');
  expect(failed("<html>…")).toBe('Server "s" answered with HTTP 400.');
  expect(failed("")).toBe('Server "s" answered with HTTP 400.');
});
