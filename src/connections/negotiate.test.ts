import type { Transport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import { type Negotiated, negotiate } from "./negotiate.ts";

const discover = { supportedVersions: ["2026-07-28"], capabilities: {} };
const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "n", version: "1" },
};
const unknown = { error: { code: -32601, message: "Method not found" } };

/** A conversation whose server says what the test says, when it says it; `lost` is the request that does not reach it. */
function talk(mode: "auto" | "modern" | "legacy" = "auto", lost = "none") {
  const clock = createTestClock();
  const asked: string[] = [];
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      if (!("method" in message)) return;
      asked.push(message.method);
      if (message.method === lost) throw new Error("no way");
    },
  };
  const unsent: unknown[] = [];
  const { settled } = negotiate(transport, {
    onUnsent: (error) => unsent.push(error),
    ...{ mode, hedgeMs: 3_000, capabilities: {}, clock },
    identity: { name: "host", version: "1" },
  });
  let outcome: Negotiated | null = null;
  void settled.then((one) => {
    outcome = one;
  });
  const say = (id: string) => (message: object) =>
    transport.onmessage?.({ jsonrpc: "2.0", id, ...message } as never);
  return {
    asked,
    unsent,
    toProbe: say("host-probe"),
    toInitialize: say("host-init"),
    /** So long that `initialize` is sent as well. */
    wait: () => clock.advance(3_000),
    async outcome() {
      await Promise.resolve();
      await Promise.resolve();
      return outcome;
    },
  };
}

test("a slow server that refuses initialize before it answers the probe is modern", async () => {
  const { asked, wait, toInitialize, toProbe, outcome } = talk();
  await wait();
  expect(asked).toEqual(["server/discover", "initialize"]);
  toInitialize(unknown);
  expect(await outcome()).toBe(null);
  toProbe({ result: discover });
  expect(await outcome()).toMatchObject({ type: "modern", discover });
});

test("a slow server that refuses initialize and then the probe has refused both", async () => {
  const { wait, toInitialize, toProbe, outcome } = talk();
  await wait();
  toInitialize(unknown);
  toProbe(unknown);
  expect(await outcome()).toEqual({
    type: "refused",
    reason: 'it did not accept initialize: error -32601, "Method not found"',
  });
});

test("once initialize is on the wire, its answer decides, whichever came first", async () => {
  const first = talk();
  await first.wait();
  first.toProbe({ result: discover });
  expect(await first.outcome()).toBe(null);
  first.toInitialize({ result: initialize });
  expect(await first.outcome()).toMatchObject({ type: "legacy", remember: "modern" });
  const second = talk();
  await second.wait();
  second.toInitialize({ result: initialize });
  expect(await second.outcome()).toMatchObject({ type: "legacy", remember: "legacy" });
});

const later = 'it speaks only protocol versions that this host does not: ["2099-01-01"]';

test.each<[string, object]>([
  ["its discovery", { result: { ...discover, supportedVersions: ["2099-01-01", 5] } }],
  ["its error", { error: { code: -32022, message: "No", data: { supported: ["2099-01-01"] } } }],
])("which versions a server of the future speaks is told, as %s names them", async (_, answer) => {
  const both = talk();
  both.toProbe(answer);
  expect(both.asked).toEqual(["server/discover", "initialize"]);
  both.toInitialize(unknown);
  expect(await both.outcome()).toEqual({ type: "refused", reason: later });
  const pinned = talk("modern");
  pinned.toProbe(answer);
  expect(await pinned.outcome()).toEqual({ type: "refused", reason: later });
});

test("a server that offers an older version too and refuses it is told with its own words", async () => {
  const { toProbe, toInitialize, outcome } = talk();
  toProbe({ result: { ...discover, supportedVersions: ["2099-01-01", "2025-06-18"] } });
  toInitialize({ error: { code: -32000, message: "Later" } });
  expect(await outcome()).toMatchObject({ reason: expect.stringContaining('"Later"') });
});

test("that initialize cannot be sent is told, unless the probe may still decide", async () => {
  for (const mode of ["legacy", "auto"] as const) {
    const { unsent, toProbe, outcome } = talk(mode, "initialize");
    toProbe(unknown);
    expect(await outcome()).toBe(null);
    expect(unsent).toEqual([new Error("no way")]);
  }
  const { wait, unsent, toProbe, outcome } = talk("auto", "initialize");
  await wait();
  toProbe({ result: discover });
  expect(await outcome()).toMatchObject({ type: "modern" });
  expect(unsent).toEqual([]);
  const mute = talk("auto", "server/discover");
  expect(await mute.outcome()).toBe(null);
  expect(mute.asked).toEqual(["server/discover", "initialize"]);
});
