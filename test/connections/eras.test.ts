import { expect, test } from "vitest";
import {
  logFile,
  memoryMemo,
  modernServer,
  never,
  open,
  rawServer,
  referenceServer,
} from "../fixtures/connections/connect.ts";

const tool = { name: "t", inputSchema: { type: "object" } };

function starts(lines: readonly string[]): number {
  return lines.filter((line) => line === "start").length;
}

test("the reference servers are ready in the old era and answer calls", async () => {
  const { connections, call } = open({
    everything: referenceServer("everything", "stdio"),
    filesystem: referenceServer("filesystem", import.meta.dirname),
    memory: referenceServer("memory"),
  });
  await connections.ready(never);
  expect(
    connections.status().map((status) => [status.server, status.state === "ready" && status.era]),
  ).toEqual([
    ["everything", "legacy"],
    ["filesystem", "legacy"],
    ["memory", "legacy"],
  ]);
  const lists = await connections.lists(never);
  expect(lists.map((list) => list.server)).toEqual(["everything", "filesystem", "memory"]);
  expect((await call("echo", { arguments: { message: "hi" } })).content).toEqual([
    { type: "text", text: "Echo: hi" },
  ]);
  const reply = await call("read_graph", { server: "memory" });
  expect(reply.structuredContent).toEqual({ entities: [], relations: [] });
});

test("a server of the new era is spoken to in it", async () => {
  const { connections, call } = open({ modern: modernServer() });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([
    { state: "ready", era: "modern", protocolVersion: "2026-07-28", tools: 3 },
  ]);
  expect((await call("hello")).content).toEqual([{ type: "text", text: "hello" }]);
});

test.each(["unknown", "garbage", "id-null"])(
  "a server whose answer to the probe is %s is started once and initialized",
  async (discover) => {
    const log = logFile();
    const { connections } = open({ raw: rawServer({ discover, tools: [tool], log: log.path }) });
    await connections.ready(never);
    expect(log.lines()).toEqual([
      "start",
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
  },
);

test("a server that ignores the probe is initialized after the probe time", async () => {
  const log = logFile();
  const server = rawServer({ discover: "ignore", tools: [tool], log: log.path });
  const { connections } = open({ raw: server }, { limits: { eraProbeMs: 50 } });
  await connections.ready(never);
  expect(starts(log.lines())).toBe(1);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
});

test("a server that dies of the probe is started once more, and never again after it was remembered", async () => {
  const log = logFile();
  const memo = memoryMemo();
  const server = rawServer({ discover: "exit", tools: [tool], log: log.path });
  const first = open({ raw: server }, { memo });
  await first.connections.ready(never);
  expect(starts(log.lines())).toBe(2);
  await first.connections.close();
  const [[key, remembered] = ["", null]] = memo.values;
  const earlier = { ...(remembered as object), at: Date.now() - 1000 };
  memo.set(key, earlier);
  const second = open({ raw: server }, { memo });
  await second.connections.ready(never);
  expect(starts(log.lines())).toBe(3);
  expect(memo.values.get(key)).toEqual(earlier);
  expect(log.lines().filter((line) => line === "server/discover")).toHaveLength(1);
});

test("a remembered era that is no longer true is asked for again", async () => {
  const memo = memoryMemo();
  const log = logFile();
  const script = { discover: "modern", refuseInitialize: true, tools: [tool], log: log.path };
  const first = open({ raw: rawServer(script) }, { memo });
  await first.connections.ready(never);
  const [key = ""] = memo.values.keys();
  expect(memo.values.get(key)).toMatchObject({ era: "modern" });
  memo.set(key, { era: "legacy", at: Date.now() });
  const second = open({ raw: rawServer(script) }, { memo });
  await second.connections.ready(never);
  expect(second.connections.status()).toMatchObject([{ state: "ready", era: "modern" }]);
  expect(memo.values.get(key)).toMatchObject({ era: "modern" });
});

test("a verdict older than a week is not believed", async () => {
  const memo = memoryMemo();
  const log = logFile();
  const server = rawServer({ discover: "unknown", tools: [tool], log: log.path });
  const first = open({ raw: server }, { memo });
  await first.connections.ready(never);
  const [key = ""] = memo.values.keys();
  memo.set(key, { era: "legacy", at: Date.now() - 8 * 24 * 60 * 60 * 1000 });
  const second = open({ raw: server }, { memo });
  await second.connections.ready(never);
  expect(log.lines().filter((line) => line === "server/discover")).toHaveLength(2);
});

test("a server that must be modern and is not fails with what it said", async () => {
  const server = rawServer(
    { tools: [tool], refusal: "no such thing, hunter2-hunter2" },
    { protocol: "modern" },
  );
  const { connections } = open({ raw: server });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_protocol",
    message: expect.stringContaining('error -32601, "no such thing, ⟨secret⟩"'),
  });
});

test("a server that must be legacy is never probed", async () => {
  const log = logFile();
  const { connections } = open({ raw: rawServer({ tools: [tool], log: log.path }, { protocol: "legacy" }) });
  await connections.ready(never);
  expect(log.lines()).not.toContain("server/discover");
});

test("a server that ignores the probe is asked to initialize within its start, however short that is", async () => {
  const server = rawServer({ discover: "ignore", tools: [tool] });
  const { connections } = open({ raw: server }, { limits: { serverStartMs: 2_500 } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
});
