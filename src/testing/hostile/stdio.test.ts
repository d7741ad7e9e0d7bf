import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { type HostileServerOptions, hostileServerCommand } from "./command.ts";
import type { HostileStep } from "./script.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type Message = Record<string, unknown>;

/** Starts a hostile server and speaks to it line by line. */
function start(hostileCase: Record<string, unknown>, options: HostileServerOptions = {}) {
  const server = hostileServerCommand({ type: "server", ...hostileCase }, options);
  const child = spawn(server.command, server.args, { env: { PATH: process.env.PATH, ...server.env } });
  cleanups.push(server.remove, () => child.kill("SIGKILL"));
  const chunks: Buffer[] = [];
  const listeners = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    for (const listener of listeners) listener();
  });
  const text = () => Buffer.concat(chunks).toString("utf8");
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = () => {
        const found = look();
        if (found === undefined) return;
        listeners.delete(check);
        resolve(found);
      };
      listeners.add(check);
      check();
    });
  const messages = () =>
    text()
      .split("\n")
      .slice(0, -1)
      .flatMap((line): Message[] => (line.startsWith("{") ? [JSON.parse(line)] : []));
  let id = 0;
  return {
    child,
    server,
    chunks,
    text,
    messages,
    until,
    send: (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    request(method: string, params: object = {}): Promise<Message> {
      const mine = ++id;
      this.send({ id: mine, method, params });
      return until(() => messages().find((message) => message.id === mine && message.method === undefined));
    },
  };
}

const exited = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));
const calls = (step: HostileStep) => ({ script: { "tools/call": step } });
const answer = (text: string) => ({ content: [{ type: "text", text }] });

test("without a script the server is a well-behaved one of its era", async () => {
  const legacy = start({});
  const hello = await legacy.request("initialize", { protocolVersion: "2025-06-18" });
  expect(hello.result).toMatchObject({ protocolVersion: "2025-06-18", capabilities: { tools: {} } });
  expect((await legacy.request("server/discover")).error).toMatchObject({ code: -32601 });
  const modern = start({}, { era: "modern" });
  expect((await modern.request("server/discover")).result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    resultType: "complete",
  });
  expect((await modern.request("initialize")).error).toMatchObject({ code: -32601 });
});

test("a case of results answers calls with them in turn, errors included", async () => {
  const server = start({
    type: "result",
    result: answer("first"),
    variants: [{ jsonrpcError: { code: -32602, message: "no" } }, { rawJson: '{"a":1,"a":2}' }],
  });
  expect((await server.request("tools/list")).result).toMatchObject({ tools: [{ name: "t" }] });
  expect((await server.request("tools/call", { name: "t" })).result).toEqual(answer("first"));
  expect((await server.request("tools/call", { name: "t" })).error).toEqual({ code: -32602, message: "no" });
  await server.request("tools/call", { name: "t" });
  expect(server.text()).toContain('"result":{"a":1,"a":2}}');
});

test("steps in turn answer one request each, and the last one stays", async () => {
  const step = { inTurn: [{ delayMs: 30, result: answer("slow") }, { result: answer("fast") }] };
  const server = start(calls(step));
  const [slow, fast] = [server.request("tools/call"), server.request("tools/call")];
  expect((await slow).result).toEqual(answer("slow"));
  expect((await fast).result).toEqual(answer("fast"));
  expect((await server.request("tools/call")).result).toEqual(answer("fast"));
  expect(server.messages().map(({ id }) => id)).toEqual([2, 1, 3]);
});

test("a picture of a given size is generated as the last result", async () => {
  const server = start({ type: "result", result: answer("first"), gen: { imageBytes: 5000 } });
  await server.request("tools/call");
  const { content } = (await server.request("tools/call")).result as { content: { data: string }[] };
  expect(Buffer.from(content[0]?.data ?? "", "base64").length).toBe(5000);
});

test("a case of tools lists them, written out and generated", async () => {
  const unit = { $gen: "repeat", unit: "ab", count: 3 };
  const server = start({
    type: "tools",
    tools: [{ name: "x", description: unit }],
    gen: { tools: { count: 2, prefix: "op_" } },
  });
  const { tools } = (await server.request("tools/list")).result as { tools: Message[] };
  expect(tools.map((tool) => tool.name)).toEqual(["x", "op_0", "op_1"]);
  expect(tools[0]?.description).toBe("ababab");
});

test("lines before the protocol, raw bytes and single bytes arrive as they are", async () => {
  const server = start({
    beforeStdout: ["banner\n", "[]\n"],
    script: {
      "tools/call": {
        byName: {
          raw: { raw: [{ utf8: "DEBUG\n" }, { hex: "ff0a" }, { rpcResult: answer("ok") }] },
          slow: { rpcResultChunked: { result: answer("☕"), chunkBytes: 1 } },
        },
      },
    },
  });
  expect((await server.request("tools/call", { name: "raw" })).result).toEqual(answer("ok"));
  expect(Buffer.concat(server.chunks).subarray(0, 10).toString()).toBe("banner\n[]\n");
  expect(
    Buffer.concat(server.chunks).includes(Buffer.from("4445425547 0aff0a".replace(" ", ""), "hex")),
  ).toBe(true);
  expect((await server.request("tools/call", { name: "slow" })).result).toEqual(answer("☕"));
});

test("notifications and progress come before the answer", async () => {
  const server = start(
    calls({
      notify: { method: "notifications/tools/list_changed", count: 3 },
      progress: { everyMs: 1, count: 2 },
    }),
  );
  await server.request("tools/call", { name: "t", _meta: { progressToken: 7 } });
  const methods = server.messages().map((message) => message.method ?? "answer");
  expect(methods).toEqual([
    ...Array(3).fill("notifications/tools/list_changed"),
    ...Array(2).fill("notifications/progress"),
    "answer",
  ]);
});

test("the client's answer to a request of the server becomes the result", async () => {
  const server = start(
    calls({
      serverRequest: { method: "elicitation/create", params: { mode: "url" } },
      rpcResultFromClientAnswer: true,
    }),
  );
  const result = server.request("tools/call", { name: "ask" });
  const asked = await server.until(() =>
    server.messages().find(({ method }) => method === "elicitation/create"),
  );
  server.send({ id: asked.id, result: { action: "decline" } });
  expect((await result).result).toEqual(answer('{"action":"decline"}'));
});

test("it exits, hangs and shows its environment when the script says so", async () => {
  const byName = { bye: { exit: 3 }, never: { hang: true }, env: { echoEnv: ["FOO", "BAR"] } };
  const server = start({ ...calls({ byName }), config: { env: { FOO: "1" } } });
  server.send({ id: 99, method: "tools/call", params: { name: "never" } });
  expect((await server.request("tools/call", { name: "env" })).result).toEqual(
    answer('{"FOO":"1","BAR":"unset"}'),
  );
  expect(server.messages().some(({ id }) => id === 99)).toBe(false);
  const end = exited(server.child);
  server.send({ id: 100, method: "tools/call", params: { name: "bye" } });
  expect(await end).toBe(3);
});

test("it remembers how it was started and what it was sent", async () => {
  const server = start({ config: { env: { FOO: "1" } } }, { args: ["C:\\Data Files\\a & b"] });
  server.send({ method: "notifications/cancelled", params: { requestId: 1 } });
  server.child.stdin.write("no json\n");
  await server.request("ping");
  const [started, ...rest] = server.server.seen();
  expect(started).toMatchObject({ kind: "started", argv: ["C:\\Data Files\\a & b"], pid: server.child.pid });
  expect(started?.envNames).toContain("FOO");
  expect(rest.map(({ kind, method }) => [kind, method])).toEqual([
    ["notification", "notifications/cancelled"],
    ["invalid", undefined],
    ["request", "ping"],
  ]);
});

test("a full standard error holds the answer back until it is read", async () => {
  const server = start(calls({ stderrSyncBytes: 300_000 }));
  let bytes = 0;
  server.child.stderr.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  server.child.stderr.pause();
  const result = server.request("tools/call", { name: "t" });
  await expect.poll(() => server.server.seen().some(({ method }) => method === "tools/call")).toBe(true);
  expect(server.messages()).toEqual([]);
  server.child.stderr.resume();
  expect((await result).result).toEqual(answer("ok"));
  expect(bytes).toBeGreaterThan(200_000);
});

test("SIGTERM and the end of input end it, unless it ignores them", async () => {
  const stubborn = start({ ignoreSigterm: true });
  await stubborn.request("ping");
  stubborn.child.kill("SIGTERM");
  stubborn.child.stdin.end();
  const polite = start({});
  await polite.request("ping");
  const end = exited(polite.child);
  polite.child.stdin.end();
  expect(await end).toBe(0);
  expect(stubborn.child.exitCode ?? stubborn.child.signalCode).toBe(null);
});
