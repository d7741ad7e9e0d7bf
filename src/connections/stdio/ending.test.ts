import { readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import {
  fixtureServer,
  gone,
  isRunning,
  connect as open,
  type TestConnection,
} from "../../../test/fixtures/stdio/client.ts";

/** Killed at the very end: the tests that wait for a stubborn process overlap. */
const opened: TestConnection[] = [];
const connect: typeof open = (...settings) => {
  const connection = open(...settings);
  opened.push(connection);
  return connection;
};

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.transport.kill()));
});

const posix = process.platform !== "win32";
const overlapping = posix ? test.concurrent : test.skip;
const stubborn = [fixtureServer, "--stubborn"];
const stubbornInShell = {
  command: "/bin/sh",
  args: ["-c", `"${process.execPath}" "${fixtureServer}" --stubborn; true`],
};

test("a polite server ends by the end of its input, without a signal, and closes once", async () => {
  const { transport, request, closes } = connect();
  await transport.start();
  await request("echo");
  await Promise.all([transport.close(), transport.close()]);
  await transport.close();
  expect(transport.exit()).toEqual({ code: 0, signal: null });
  expect(closes()).toBe(1);
  await expect(transport.start()).resolves.toBeUndefined();
  await expect(request("echo")).rejects.toMatchObject({ code: "call_not_sent" });
});

test("what was sent before the close still reaches the server", async () => {
  const { transport, request } = connect();
  await transport.start();
  const answered = request("complain", { text: "heard", times: 1 }).catch(() => {});
  await transport.close();
  await answered;
  expect(transport.stderrTail()).toBe("heard");
});

test("a transport that is closed before its start closes once and starts nothing", async () => {
  const { transport, closes } = connect();
  await transport.close();
  expect(closes()).toBe(1);
  await expect(transport.start()).rejects.toMatchObject({ code: "closed" });
  expect(transport.pid).toBeNull();
});

overlapping("a server that ignores the end of its input and SIGTERM is killed", async () => {
  const { transport, request } = connect({ args: stubborn });
  await transport.start();
  await request("echo");
  await transport.close();
  expect(transport.exit()).toEqual({ code: null, signal: "SIGKILL" });
});

overlapping("a stubborn server under a shell leaves no process", async () => {
  const { transport, request, closes } = connect(stubbornInShell);
  await transport.start();
  const { result } = await request("pid");
  expect(result).not.toBe(transport.pid);
  await transport.close();
  expect(isRunning(Number(result))).toBe(false);
  expect(closes()).toBe(1);
});

overlapping("kill ends a stubborn server under a shell without waiting for its politeness", async () => {
  const { transport, request } = connect(stubbornInShell);
  await transport.start();
  const { result } = await request("pid");
  await transport.kill();
  expect(isRunning(Number(result))).toBe(false);
});

overlapping("kill overtakes a close that is under way", async () => {
  const { transport, request } = connect({ args: stubborn });
  await transport.start();
  await request("echo");
  const order: string[] = [];
  const closing = transport.close().then(() => order.push("close"));
  await transport.kill();
  await closing;
  expect(transport.exit()).toEqual({ code: null, signal: "SIGKILL" });
});

overlapping(
  "a grandchild that holds the output of a crashed server hides neither the crash nor survives",
  async () => {
    const { transport, request, closed, closes } = connect();
    await transport.start();
    request("crashBesideGrandchild", { code: 3, text: "panic: boom" }).catch(() => {});
    await closed;
    expect(transport.exit()).toEqual({ code: 3, signal: null });
    const [grandchild, words] = transport.stderrTail().split("\n");
    expect(words).toBe("panic: boom");
    await gone(Number(grandchild));
    expect(closes()).toBe(1);
  },
);

overlapping(
  "a grandchild in a session of its own cannot hide the crash of a server whose output it holds",
  async () => {
    const { transport, request, closed } = connect();
    await transport.start();
    request("crashBesideGrandchild", { code: 3, text: "panic: boom", detached: true }).catch(() => {});
    await closed;
    const grandchild = Number(transport.stderrTail().split("\n")[0]);
    // Only Linux tells what it left behind.
    if (process.platform === "linux") await gone(grandchild);
    else process.kill(grandchild, "SIGKILL");
  },
);

overlapping("a grandchild of a polite server is gone when the close is done", async () => {
  const { transport, request } = connect();
  await transport.start();
  const { result } = await request("grandchild");
  expect(isRunning(Number(result))).toBe(true);
  await transport.close();
  expect(isRunning(Number(result))).toBe(false);
});

overlapping("a server that closes its output is ended: nothing can come of it any more", async () => {
  const { transport, closed } = connect({ command: "/bin/sh", args: ["-c", "exec 1>&-; cat"] });
  await transport.start();
  await closed;
  expect(transport.exit()).not.toBeNull();
});

overlapping("a server that closes its input is ended with the first send that fails", async () => {
  const { transport, closed, request } = connect({
    command: "/bin/sh",
    args: ["-c", "exec 0<&-; echo; sleep 60"],
  });
  await transport.start();
  let sent = "";
  while (sent === "") {
    await transport.send({ jsonrpc: "2.0", method: "x" }).catch((error: { code: string }) => {
      sent = error.code;
    });
  }
  expect(sent).toBe("call_not_sent");
  await closed;
  expect(transport.exit()).toEqual({ code: null, signal: "SIGTERM" });
  await expect(request("echo")).rejects.toMatchObject({ code: "call_not_sent" });
});

test("a server that stops reading fails sends at once when the queue is full, and the rest when it ends", async () => {
  const { transport, request } = connect();
  await transport.start();
  await request("stopReading");
  const text = "x".repeat(100_000);
  const settled: (string | undefined)[] = [];
  const sends = Array.from({ length: 100 }, (_, index) =>
    transport.send({ jsonrpc: "2.0", id: `call-${index}`, method: "echo", params: { text } }).then(
      () => settled.push("sent"),
      (error: { code?: string }) => settled.push(error.code),
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  const atOnce = settled.filter((code) => code === "call_not_sent").length;
  expect(atOnce).toBeGreaterThanOrEqual(50);
  await transport.kill();
  await Promise.all(sends);
  expect(settled).toHaveLength(100);
  expect(settled).toContain("call_connection_lost");
});

test.runIf(process.platform === "linux")("thirty starts and stops leave no file open", async () => {
  const openFiles = () => readdirSync("/proc/self/fd").length;
  const cycle = async (command: string, ...args: string[]) => {
    const { transport } = open({ command, args });
    await transport.start();
    await transport.close();
  };
  await cycle("/bin/cat");
  const before = openFiles();
  for (let round = 0; round < 30; round++) await cycle("/bin/cat");
  await cycle("/bin/sh", "-c", "setsid sleep 5 & sleep 0.3");
  expect(openFiles()).toBe(before);
});
