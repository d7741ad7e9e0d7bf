import { expect, test } from "vitest";
import { logFile, memoryMemo, never, open, rawServer } from "../fixtures/connections/connect.ts";

const tools = [{ name: "die", inputSchema: { type: "object" } }];

test("a server that exits at its start fails with its exit code and the last of its stderr", async () => {
  const script = { exitAtStart: 7, stderr: "boot\nerror: no API key (hunter2-hunter2)\n" };
  const { connections } = open({ raw: rawServer(script) });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_exited",
    data: { server: "raw", exitCode: 7 },
    message: expect.stringMatching(
      /raw-server\.mjs.*ended before it was ready.*exit code 7.*\nboot\nerror: no API key \(⟨secret⟩\)$/s,
    ),
  });
});

test("a command that does not exist is named", async () => {
  const { connections } = open({ raw: { command: "no-such-command-anywhere" } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_start_failed",
    message: expect.stringContaining("no-such-command-anywhere"),
  });
});

test("a server that stays silent fails at the start deadline and is gone", async () => {
  const log = logFile();
  const server = rawServer({ silent: true, stderr: "waiting for a database\n", log: log.path });
  const { connections } = open({ raw: server }, { limits: { serverStartMs: 400 } });
  const failure = await connections.ready(never).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({
    code: "server_start_timeout",
    // Not how the host ended it.
    message: expect.stringMatching(/not ready within 0\.4 seconds\..*waiting for a database/s),
  });
  expect(failure).not.toHaveProperty("data.exitSignal");
  expect(connections.status()).toMatchObject([{ state: "failed", required: true }]);
});

test("a program that writes text instead of messages is told apart from a silent one", async () => {
  const server = rawServer({ silent: true, stdout: "Welcome!\nType help.\n" });
  const { connections } = open({ raw: server }, { limits: { serverStartMs: 400 } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_start_timeout",
    message: expect.stringContaining("2 lines to its standard output that are no MCP messages"),
  });
});

test("text before the first message does no harm", async () => {
  const { connections } = open({ raw: rawServer({ tools, stdout: "Loading model…\n" }) });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", tools: 1 }]);
});

test("servers are spawned before start() returns, and so before the SDK is loaded", () => {
  const log = logFile();
  open({ raw: rawServer({ tools, log: log.path }) });
  // Nothing of this process runs while it waits here.
  const end = Date.now() + 10_000;
  while (log.lines().length === 0 && Date.now() < end);
  expect(log.lines()).toEqual(["start"]);
});

test("a server that is not required may fail, and the others are listed", async () => {
  const { connections } = open({
    bad: rawServer({ exitAtStart: 1 }, { required: false }),
    good: rawServer({ tools }),
  });
  const seen: string[] = [];
  connections.onStatus((status) => seen.push(`${status.server} ${status.state}`));
  await connections.ready(never);
  expect((await connections.lists(never)).map((list) => list.server)).toEqual(["good"]);
  // It is waited for only a moment.
  await connections.started(never);
  expect(seen.sort()).toEqual(["bad failed", "good ready"]);
});

test("a failed start is not remembered as an era", async () => {
  const memo = memoryMemo();
  const { connections } = open({ raw: rawServer({ exitAtStart: 1 }) }, { memo });
  await expect(connections.ready(never)).rejects.toThrow();
  expect([...memo.values.keys()]).toEqual([]);
});

test("an abort ends the waiting for servers, and closing ends their start", async () => {
  const { connections } = open({ raw: rawServer({ silent: true }) });
  const abort = new AbortController();
  const waiting = connections.ready(abort.signal);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  await connections.close();
});

/** A clock whose restarts are due at once, so that only their number counts. */
function hastyClock() {
  let skew = 0;
  return {
    wall: () => Date.now(),
    now: () => performance.now() + skew,
    after(ms: number, action: () => void) {
      const isRestart = [1_000, 2_000, 4_000, 8_000, 16_000].includes(ms);
      const timer = setTimeout(action, isRestart ? 0 : ms);
      return () => clearTimeout(timer);
    },
    skip(ms: number) {
      skew += ms;
    },
  };
}

test("a server that never worked is not started again by itself", async () => {
  const log = logFile();
  const server = rawServer({ exitAtStart: 1, log: log.path }, { protocol: "legacy", required: false });
  const { connections, call } = open({ raw: server }, { clock: hastyClock() });
  await connections.ready(never);
  await expect(call("die")).rejects.toMatchObject({ code: "call_not_sent", data: { executed: "no" } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log.lines()).toEqual(["start"]);
});

test("a server that dies again and again is given up, and its tools are gone", async () => {
  const clock = hastyClock();
  const log = logFile();
  const { connections, call } = open(
    { raw: rawServer({ tools, log: log.path }, { protocol: "legacy" }) },
    { clock },
  );
  await connections.ready(never);
  for (let death = 0; death < 6; death++) {
    await expect(call("die")).rejects.toMatchObject({ code: "call_connection_lost" });
  }
  expect(log.lines().filter((line) => line === "start")).toHaveLength(6);
  await expect(call("die")).rejects.toMatchObject({ code: "call_not_sent", data: { executed: "no" } });
  expect(connections.current()).toEqual([]);
  await expect(connections.ready(never)).rejects.toMatchObject({ code: "server_exited" });
  clock.skip(11 * 60_000);
  await expect(call("die")).rejects.toMatchObject({ code: "call_connection_lost" });
});
