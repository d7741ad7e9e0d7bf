import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { keepStandingStream } from "../../../src/connections/standing-stream.ts";
import { createTestClock, type TestClock } from "../../../src/testing/clock.ts";
import { never, open, until } from "../../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer, sendJson } from "../../fixtures/connections/http-server.ts";

const events = { "content-type": "text/event-stream" };

interface Scene {
  readonly clock: TestClock;
  /** `last-event-id` of each request. */
  readonly asked: (string | null)[];
  missed(): number;
  read(): Promise<string>;
  abort(): void;
}

/** A body that says nothing, and breaks when its request is aborted. */
function untilAborted(signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
    },
  });
}

/** Reads a standing stream whose connections are answered in turn; a text ends at once, an error is no answer. */
async function scene(answers: readonly (string | number | Error)[]): Promise<Scene> {
  const clock = createTestClock();
  const asked: (string | null)[] = [];
  const left = [...answers];
  let missed = 0;
  const answering: typeof fetch = async (_, init) => {
    asked.push(new Headers(init?.headers).get("last-event-id"));
    const next = left.shift() ?? untilAborted(init?.signal);
    if (next instanceof Error) throw next;
    return typeof next === "number"
      ? new Response(null, { status: next })
      : new Response(next, { headers: events });
  };
  const abort = new AbortController();
  const kept = keepStandingStream(answering, {
    clock,
    onMissed() {
      missed += 1;
    },
  });
  const response = await kept("http://s.test", { method: "GET", signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  })();
  return {
    clock,
    asked,
    missed: () => missed,
    async read() {
      await clock.advance(600_000);
      return text;
    },
    abort() {
      abort.abort();
      return reading;
    },
  };
}

test("a stream that ends is opened again from the last event on, and what was missed is looked up", async () => {
  const { read, asked, missed, abort } = await scene([
    "id: 7\ndata: a\n\nid: 8\nda",
    new Error("reset"),
    503,
    "data: b\n\n",
  ]);
  expect(await read()).toBe("id: 7\ndata: a\n\nid: 8\nda\n\ndata: b\n\n\n\n");
  expect(asked).toEqual([null, "8", "8", "8", "8"]);
  expect(missed()).toBe(2);
  await abort();
});

test("a server that has no such stream any more is not asked again, and its session is looked after", async () => {
  const { read, asked, missed, abort, clock } = await scene(["data: a\n\n", 404]);
  expect(await read()).toBe("data: a\n\n");
  expect(asked).toHaveLength(2);
  expect(missed()).toBe(1);
  await abort();
  expect(clock.pending()).toBe(0);
});

test("a stream that ends again and again is opened less and less often", async () => {
  const { read, asked, abort, clock } = await scene(Array(1_000).fill("data: a\n\n"));
  await read();
  expect(asked.length).toBeGreaterThan(8);
  expect(asked.length).toBeLessThan(30);
  await abort();
  expect(clock.pending()).toBe(0);
});

test("what is no standing stream passes as it came", async () => {
  const plain = new Response("x", { headers: events });
  const kept = keepStandingStream(async () => plain, { clock: createTestClock(), onMissed() {} });
  expect(await kept("http://s.test", { method: "POST" })).toBe(plain);
  expect(await kept("http://s.test", { method: "GET", headers: { "last-event-id": "1" } })).toBe(plain);
});

test("a change that an old HTTP server made while its stream was down is noticed", async () => {
  const streams: ServerResponse[] = [];
  let tools = [{ name: "t", inputSchema: { type: "object" } }];
  const answer = legacyAnswer(() => {}, "session");
  const { url } = await httpServer((received, response) => {
    if (received.verb === "GET") {
      response.writeHead(200, events).flushHeaders();
      streams.push(response);
    } else if (received.method === "tools/list") {
      sendJson(response, { jsonrpc: "2.0", id: received.id, result: { tools } });
    } else return answer(received, response);
  });
  const { connections } = open({ http: { url } });
  await connections.ready(never);
  await until(() => streams.length === 1);
  tools = [...tools, { name: "more", inputSchema: { type: "object" } }];
  streams[0]?.destroy();
  await until(() => connections.current()[0]?.tools.length === 2);
  expect(streams).toHaveLength(2);
});
