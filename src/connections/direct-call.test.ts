import type { Transport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { systemClock } from "../util/clock.ts";
import { isObject } from "../util/own.ts";
import { createIngestTransport } from "./ingest.ts";
import { createServerRequests } from "./server-requests/server-requests.ts";
import { callSink } from "./sinks.ts";

/** A transport that answers each request with what the test says, and notes what was sent. */
function wire(answer: (message: Record<string, unknown>) => object | null) {
  const sent: Record<string, unknown>[] = [];
  const inner: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      const copy: unknown = structuredClone(message);
      if (!isObject(copy)) return;
      sent.push(copy);
      const reply = answer(copy);
      // In the middle of the sending, as a transport inside the process may do.
      if (reply !== null) inner.onmessage?.({ jsonrpc: "2.0", id: copy.id, ...reply } as never);
    },
  };
  const ingest = createIngestTransport(inner, { requests: nothingAsked, onToolsChanged: () => {} });
  return { sent, inner, ingest };
}

const params = { name: "t", arguments: { a: 1 } };
const text = { content: [{ type: "text", text: "ok" }] };

const nothingAsked = createServerRequests({
  ...{ server: "s", config: { command: "s" }, elicitation: false, clock: systemClock },
  redact: (text) => text,
  onLog() {},
});

test("a call is sent with the envelope of its revision and its answer goes to the sink", async () => {
  const { sent, ingest } = wire(() => ({ result: text }));
  const sink = callSink(() => {});
  await new Promise<void>((settle) => ingest.direct({ version: "v" })(params, sink, settle));
  expect(sink.reply?.content).toEqual([{ type: "text", text: "ok" }]);
  expect(sent[0]).toMatchObject({
    method: "tools/call",
    params: { name: "t", arguments: { a: 1 }, _meta: { version: "v", progressToken: sent[0]?.id } },
  });
});

test("what a server needs before it goes on is no answer: it goes to the sink as it came", async () => {
  const inputRequests = { who: { method: "elicitation/create", params: { message: "?" } } };
  const again = { resultType: "input_required", requestState: "s", inputRequests };
  const { ingest } = wire(() => ({ result: again }));
  const sink = callSink(() => {});
  await new Promise<void>((settle) => ingest.direct({})(params, sink, settle));
  expect(sink.reply).toBeNull();
  expect(sink.asked).toEqual({ requests: [["who", "elicitation/create", { message: "?" }]], state: "s" });
});

test("a cancelled call tells the server once and takes no answer any more", () => {
  const { sent, inner, ingest } = wire(() => null);
  const sink = callSink(() => {});
  let settled = 0;
  const cancel = ingest.direct(null)(params, sink, () => {
    settled += 1;
  });
  cancel();
  cancel();
  inner.onmessage?.({ jsonrpc: "2.0", id: sent[0]?.id, result: text } as never);
  expect(sent.slice(1)).toMatchObject([
    { method: "notifications/cancelled", params: { requestId: sent[0]?.id } },
  ]);
  expect([settled, sink.reply]).toEqual([0, null]);
});

test("the end of the connection settles the calls that are under way", () => {
  const { inner, ingest } = wire(() => null);
  const sink = callSink(() => {});
  let settled = 0;
  ingest.direct(null)(params, sink, () => {
    settled += 1;
  });
  inner.onclose?.();
  expect([settled, sink.reply, sink.error]).toEqual([1, null, null]);
});

test("an answer that comes after its call was given up is no message of no use; a second one, or a stranger's, is", () => {
  const { sent, inner, ingest } = wire(() => null);
  const cancel = ingest.direct({})(
    params,
    callSink(() => {}),
    () => {},
  );
  const answer = { jsonrpc: "2.0", id: sent[0]?.id, result: text } as never;
  cancel();
  inner.onmessage?.(answer);
  expect(ingest.unusable()).toBe(0);
  inner.onmessage?.(answer);
  inner.onmessage?.({ jsonrpc: "2.0", id: 77, result: text } as never);
  inner.onmessage?.({ jsonrpc: "2.0" } as never);
  inner.onmessage?.("text" as never);
  expect(ingest.unusable()).toBe(4);
});
