import { expect, test } from "vitest";
import { createTestClock } from "../../../src/testing/clock.ts";
import type { Clock } from "../../../src/types/ports.ts";
import {
  logFile,
  memoryLists,
  never,
  open,
  rawServer,
  toldServer,
} from "../../fixtures/connections/connect.ts";

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });
const reply = (text: string) => ({
  jsonrpc: "2.0",
  id: "$id",
  result: { content: [{ type: "text", text }] },
});
const day = 24 * 3_600_000;

/** Starts the server once, so that what it offers is remembered. */
async function learn(
  servers: Parameters<typeof open>[0],
  options: NonNullable<Parameters<typeof open>[1]>,
): Promise<void> {
  const { connections } = open(servers, options);
  await connections.started(never);
  await connections.lists(never);
  await connections.close();
}

/** A clock whose wall time can be set, while its timers run with the machine. */
function shifted(ms: () => number): Clock {
  const machine = createTestClock();
  return {
    ...machine,
    wall: () => ms(),
    now: () => performance.now(),
    after(wait, action) {
      const timer = setTimeout(action, wait);
      return () => clearTimeout(timer);
    },
  };
}

test("a run may begin with the tools that a silent server was last seen to have", async () => {
  const knownLists = memoryLists();
  const { config, tell } = toldServer({ tools: [tool("a"), { name: "bad", inputSchema: 1 }] });
  await learn({ s: config }, { knownLists });
  tell({ silent: true });
  const { connections } = open({ s: config }, { knownLists });
  await connections.ready(never);
  expect(connections.status()).toEqual([{ server: "s", state: "starting" }]);
  const [list] = await connections.lists(never);
  expect(list?.tools.map(({ name }) => name)).toEqual(["a"]);
  expect(list?.quarantined.map((one) => one.tool)).toEqual(["bad"]);
});

test("what a server says of its own use is known with its tools, and is its newest word once it is up", async () => {
  const knownLists = memoryLists();
  const { config, tell } = toldServer({ tools: [tool("a")], instructions: "Call a first." });
  await learn({ s: config }, { knownLists });
  tell({ silent: true });
  const silent = open({ s: config }, { knownLists }).connections;
  await silent.ready(never);
  expect(silent.instructions?.()).toEqual([{ server: "s", trusted: false, text: "Call a first." }]);
  tell({ tools: [tool("a")] });
  const speaking = open({ s: config }, { knownLists }).connections;
  await speaking.started(never);
  expect(speaking.instructions?.()).toEqual([]);
});

test("without a memory a run waits for a required server", async () => {
  const { config, tell } = toldServer({ tools: [tool("a")] });
  await learn({ s: config }, {});
  tell({ silent: true });
  const clock = createTestClock();
  const { connections } = open({ s: config }, { clock });
  const ready = connections.ready(never).then(
    () => "ready",
    (error: { code: string }) => error.code,
  );
  await clock.advance(40_000);
  expect(await ready).toBe("server_start_timeout");
});

test("a call waits for its own server, and not for another one", async () => {
  const knownLists = memoryLists();
  const slow = toldServer({ tools: [tool("t")] });
  const silent = toldServer({ tools: [tool("t")] });
  await learn({ slow: slow.config, silent: silent.config }, { knownLists });
  slow.tell({ tools: [tool("t")], delayMs: 300, replies: { t: reply("late") } });
  silent.tell({ silent: true });
  const { connections, call } = open({ slow: slow.config, silent: silent.config }, { knownLists });
  await connections.ready(never);
  expect(connections.status().map(({ state }) => state)).toEqual(["starting", "starting"]);
  const before = await connections.lists(never);
  expect((await call("t", { server: "slow" })).content).toEqual([{ type: "text", text: "late" }]);
  expect(connections.status().map(({ state }) => state)).toEqual(["starting", "ready"]);
  expect(await connections.lists(never)).toBe(before);
});

test("a call to a server that is not up yet ends with the signal of its run", async () => {
  const knownLists = memoryLists();
  const { config, tell } = toldServer({ tools: [tool("t")] });
  await learn({ s: config }, { knownLists });
  tell({ silent: true });
  const { connections, call } = open({ s: config }, { knownLists });
  await connections.ready(never);
  const abort = new AbortController();
  const calling = call("t", { signal: abort.signal });
  abort.abort();
  await expect(calling).rejects.toMatchObject({ code: "call_aborted", data: { executed: "no" } });
});

test("a call that was decided by a remembered definition is not sent when it is another one now", async () => {
  const knownLists = memoryLists();
  const log = logFile();
  const { config, tell } = toldServer({ tools: [tool("t"), tool("u")] });
  await learn({ s: config }, { knownLists });
  tell({
    tools: [tool("t", { description: "changed" }), tool("u")],
    replies: { t: reply("ran"), u: reply("ran") },
    delayMs: 200,
    log: log.path,
  });
  const { connections, call } = open({ s: config }, { knownLists });
  await connections.ready(never);
  const [changed, same] = await Promise.allSettled([call("t"), call("u")]);
  expect(changed).toMatchObject({
    status: "rejected",
    reason: { code: "call_not_sent", data: { executed: "no" } },
  });
  expect(same).toMatchObject({ status: "fulfilled" });
  expect(log.lines().filter((line) => line.startsWith("tools/call"))).toEqual(["tools/call:u"]);
  expect((await connections.lists(never))[0]?.tools[0]?.description).toBe("changed");
});

test("a required server that turns out not to start ends what waits for it, and is waited for next time", async () => {
  const knownLists = memoryLists();
  const { config, tell } = toldServer({ tools: [tool("t")] });
  await learn({ s: config }, { knownLists });
  expect(knownLists.values.size).toBe(1);
  tell({ exitAtStart: 3 });
  const { connections, call } = open({ s: config }, { knownLists });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({ code: "call_not_sent", data: { executed: "no" } });
  await expect(connections.lists(never)).rejects.toMatchObject({ code: "server_exited" });
  await expect(connections.ready(never)).rejects.toMatchObject({ code: "server_exited" });
  expect(knownLists.values.size).toBe(0);
});

test("a server that only helps is waited for a moment, and joins later", async () => {
  const clock = createTestClock();
  const { connections } = open(
    { slow: rawServer({ silent: true }, { required: false }), s: rawServer({ tools: [tool("t")] }) },
    { clock },
  );
  await connections.started(never, "s");
  let began = false;
  const ready = connections.ready(never).then(() => {
    began = true;
  });
  await clock.advance(400);
  expect(began).toBe(false);
  await clock.advance(200);
  await ready;
  expect((await connections.lists(never)).map(({ server }) => server)).toEqual(["s"]);
});

test.each([
  ["for as long as its server said", 60_000, 59_000, true],
  ["no longer than its server said", 60_000, 61_000, false],
  ["for days where its server said nothing", undefined, 6 * day, true],
  ["for a week at most", 30 * day, 8 * day, false],
])("a list is believed %s", async (_, ttlMs, later, believed) => {
  const knownLists = memoryLists();
  const { config, tell } = toldServer({ tools: [tool("t")], ...(ttlMs === undefined ? {} : { ttlMs }) });
  await learn({ s: config }, { knownLists, clock: shifted(() => 1_000) });
  tell({ tools: [tool("t")], silent: true });
  const { connections } = open(
    { s: { ...config, required: false } },
    { knownLists, clock: shifted(() => 1_000 + later) },
  );
  await connections.ready(never);
  expect(await connections.lists(never)).toHaveLength(believed ? 1 : 0);
});
