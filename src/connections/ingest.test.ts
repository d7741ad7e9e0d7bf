import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../util/clock.ts";
import { createIngestTransport } from "./ingest.ts";
import { createServerRequests } from "./server-requests/server-requests.ts";
import { type CallSink, callSink, sinkKey } from "./sinks.ts";

function setUp() {
  const wire: Record<string, unknown>[] = [];
  const seen: Record<string, unknown>[] = [];
  let changes = 0;
  const inner: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void wire.push(message as Record<string, unknown>),
  };
  const outer = createIngestTransport(inner, { requests: nothingAsked, onToolsChanged: () => changes++ });
  outer.onmessage = (message) => void seen.push(message as unknown as Record<string, unknown>);
  const receive = (message: unknown) => inner.onmessage?.(message as JSONRPCMessage);
  return { wire, seen, outer, receive, changes: () => changes };
}

function callRequest(id: number, sink: CallSink): JSONRPCMessage {
  const params = { name: "t", _meta: { own: 1, [sinkKey]: sink } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

const nothingAsked = createServerRequests({
  ...{ server: "s", config: { command: "s" }, elicitation: false, clock: systemClock },
  redact: (text) => text,
  onLog() {},
});

test("the sink stays in the host, and the server gets a progress token", async () => {
  const { outer, wire } = setUp();
  await outer.send(
    callRequest(
      5,
      callSink(() => {}),
    ),
  );
  const [{ params } = {}] = wire;
  expect(Object.getOwnPropertySymbols((params as { _meta: object })._meta)).toEqual([]);
  expect(wire[0]).toEqual({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { name: "t", _meta: { own: 1, progressToken: 5 } },
  });
});

test("the reply goes to the sink whole, and a stand-in to the SDK", async () => {
  const { outer, receive, seen } = setUp();
  const sink = callSink(() => {});
  await outer.send(callRequest(5, sink));
  receive({ id: "5", result: { content: [{ type: "text", text: "x" }] } });
  expect(sink.reply?.content).toEqual([{ type: "text", text: "x" }]);
  expect(seen).toEqual([{ jsonrpc: "2.0", id: 5, result: { content: [] } }]);
});

test("an answer that nobody waits for, or not any more, is dropped", async () => {
  const { outer, receive, seen } = setUp();
  receive({ jsonrpc: "2.0", id: 9, result: {} });
  await outer.send(
    callRequest(
      1,
      callSink(() => {}),
    ),
  );
  await outer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  receive({ jsonrpc: "2.0", id: 1, result: { content: [] } });
  expect(seen).toEqual([]);
});

test("an answer without an id is nobody's while two are awaited", async () => {
  const { outer, receive, seen } = setUp();
  await outer.send(
    callRequest(
      1,
      callSink(() => {}),
    ),
  );
  await outer.send(
    callRequest(
      2,
      callSink(() => {}),
    ),
  );
  receive({ jsonrpc: "2.0", id: null, error: { code: 1, message: "x" } });
  expect(seen).toEqual([]);
});

test("changes of the tool list are told, and other notifications that have no reader end here", () => {
  const { receive, seen, changes } = setUp();
  receive({ method: "notifications/tools/list_changed" });
  receive({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } });
  receive({ id: 1, method: "ping" });
  expect(changes()).toBe(1);
  expect(seen).toEqual([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
});

test("whatever a server sends, the ingest does not throw, and an answer with the right id ends its call", async () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({ id: fc.jsonValue(), result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: [] }),
  );
  const answer = fc.oneof(
    fc.record({ result: fc.jsonValue() }),
    fc.record({ error: fc.jsonValue(), result: fc.jsonValue() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anything), answer, async (noise, last) => {
      const { outer, receive } = setUp();
      const sink = callSink(() => {});
      await outer.send(callRequest(1, sink));
      for (const message of noise) receive(message);
      receive({ id: 1, ...last });
      expect(sink.reply !== null || sink.error !== null).toBe(true);
    }),
    { numRuns: 300 },
  );
});
