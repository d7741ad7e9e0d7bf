import { expect, test } from "vitest";
import type { HostError } from "../../src/errors.ts";
import type { CallProgress } from "../../src/types/ports.ts";
import {
  logFile,
  modernServer,
  never,
  open,
  rawServer,
  referenceServer,
  until,
} from "../fixtures/connections/connect.ts";

const names = ["die", "wait", "refuse", "progress", "odd"];
const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));

test("an abort rejects the call at once and tells an old server, without the person's words", async () => {
  const log = logFile();
  const { connections, call } = open({ raw: rawServer({ tools, log: log.path }) });
  await connections.ready(never);
  const abort = new AbortController();
  const called = call("wait", { signal: abort.signal });
  await until(() => log.lines().includes("tools/call:wait"));
  abort.abort("my private reason");
  await expect(called).rejects.toMatchObject({ code: "call_aborted", data: { executed: "maybe" } });
  await until(() => log.lines().includes("notifications/cancelled"));
  expect(log.lines()).toContain("reason:cancelled by the host");
});

test("an abort reaches the tool of a new server", async () => {
  const log = logFile();
  const { connections, call } = open({ modern: modernServer(log.path) });
  await connections.ready(never);
  const abort = new AbortController();
  const called = call("wait", { signal: abort.signal });
  await until(() => log.lines().includes("waiting"));
  abort.abort();
  await expect(called).rejects.toMatchObject({ code: "call_aborted" });
  await until(() => log.lines().includes("cancelled"));
});

test("a call that was aborted before it began is not sent", async () => {
  const log = logFile();
  const { connections, call } = open({ raw: rawServer({ tools, log: log.path }) });
  await connections.ready(never);
  await expect(call("wait", { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "call_aborted",
    data: { executed: "no" },
  });
  expect(log.lines()).not.toContain("tools/call:wait");
});

test("a server that dies in a call fails that call at once, is started again, and the others go on", async () => {
  const { connections, call } = open({
    raw: rawServer({ tools }),
    everything: referenceServer("everything", "stdio"),
  });
  await connections.ready(never);
  const seen: string[] = [];
  connections.onStatus((status) => seen.push(`${status.server} ${status.state}`));
  const dying = Promise.allSettled([call("die"), call("wait")]);
  const other = call("echo", { server: "everything", arguments: { message: "still here" } });
  for (const settled of await dying) {
    expect(settled).toMatchObject({ reason: { code: "call_connection_lost", data: { executed: "maybe" } } });
  }
  expect((await other).content).toEqual([{ type: "text", text: "Echo: still here" }]);
  expect(connections.status()[1]).toMatchObject({
    state: "failed",
    error: { code: "server_exited", message: expect.stringContaining("ended while it was in use") },
  });
  expect(connections.current()).toHaveLength(2);
  expect((await call("progress")).isError).toBe(false);
  expect(seen).toEqual(["raw failed", "raw starting", "raw ready"]);
});

test("a call whose process ended says how it ended and what its last words were, without secrets", async () => {
  const words = `first\n${"x".repeat(5_000)}\nfatal: no memory for hunter2-hunter2\n`;
  const { connections, call } = open({ raw: rawServer({ tools, stderr: words }) });
  await connections.ready(never);
  const failed = await call("die").catch((error: HostError) => error);
  expect(failed).toMatchObject({
    code: "call_connection_lost",
    message: expect.stringMatching(
      /^The connection to server "raw" was lost: .*, with exit code 3\. The call may have run\. The last of its stderr: .*fatal: no memory for ⟨secret⟩$/,
    ),
    data: { executed: "maybe", exitCode: 3, exitSignal: null },
  });
  expect((failed as HostError).message.length).toBeLessThan(2_000);
});

test("a question whose process ended says so, too", async () => {
  const { connections, call } = open({
    raw: rawServer({ tools, capabilities: { tools: {}, resources: {} }, dieOf: "resources/read" }),
  });
  await connections.ready(never);
  await call("progress");
  const read = connections.offers("raw")?.read("a://b", { signal: never });
  await expect(read).rejects.toMatchObject({ message: expect.stringContaining("with exit code 3") });
});

test.each([
  [-32602, "no"],
  [-32601, "no"],
  [-32000, "maybe"],
])(
  "a JSON-RPC error %i says what the server said, and whether the tool may have run",
  async (refuseCode, executed) => {
    const { connections, call } = open({ raw: rawServer({ tools, refuseCode }) });
    await connections.ready(never);
    await expect(call("refuse")).rejects.toMatchObject({
      code: "call_protocol_error",
      message: `Server "raw" answered with error ${refuseCode}: Not like this`,
      data: { executed },
    });
  },
);

test("a call to a server that does not exist was surely not sent", async () => {
  const { connections, call } = open({ raw: rawServer({ tools }) });
  await connections.ready(never);
  await expect(call("wait", { server: "other" })).rejects.toMatchObject({
    code: "call_not_sent",
    data: { executed: "no" },
  });
});

test("progress reaches the caller", async () => {
  const { connections } = open({ raw: rawServer({ tools }) });
  await connections.ready(never);
  const seen: CallProgress[] = [];
  const route = { server: "raw", tool: "progress" };
  const onProgress = (progress: CallProgress) => seen.push(progress);
  await connections.call({ runId: "run", route, arguments: {}, signal: never, onProgress });
  expect(seen).toEqual([{ progress: 1 }, { progress: 2 }]);
});

test.each([
  ["a result that is a text", { jsonrpc: "2.0", id: "$id", result: "done" }],
  ["no jsonrpc member", { id: "$id", result: { content: ["done"] } }],
  ["error: null beside the result", { jsonrpc: "2.0", id: "$id", error: null, result: { content: "done" } }],
  [
    "a _meta of the wrong type",
    { jsonrpc: "2.0", id: "$id", result: { _meta: "x", content: [{ type: "text", text: "done" }] } },
  ],
  ["an id of null", { jsonrpc: "2.0", id: null, result: { content: [{ type: "text", text: "done" }] } }],
])("an answer with %s is an answer", async (_name, reply) => {
  const { connections, call } = open({ raw: rawServer({ tools, replies: { odd: reply } }) });
  await connections.ready(never);
  expect((await call("odd")).content).toEqual([{ type: "text", text: "done" }]);
});

test.each([
  ["a bare text", "broken"],
  ["a code that is a text", { code: "E1", message: "broken" }],
])("an error that is %s ends the call", async (_name, error) => {
  const { connections, call } = open({ raw: rawServer({ tools, replies: { odd: { id: "$id", error } } }) });
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining("broken"),
  });
});

test("what a server sent of no use while a call waited is counted in the end of that call", async () => {
  const log = logFile();
  const replies = {
    odd: "no object",
    strange: { id: 4711, result: { content: [] } },
    quiet: { id: 4712 },
  };
  const { connections, call } = open({ raw: rawServer({ tools, replies, log: log.path }) });
  await connections.ready(never);
  const abort = new AbortController();
  const endings = ["odd", "strange", "quiet", "wait"].map((name) => call(name, { signal: abort.signal }));
  await until(() => log.lines().includes("tools/call:wait"));
  // Behind what the server wrote before it.
  await call("progress");
  abort.abort();
  for (const ending of endings)
    await expect(ending).rejects.toMatchObject({ code: "call_aborted", data: { unusable: 3 } });
  const later = new AbortController();
  const waiting = call("wait", { signal: later.signal });
  later.abort();
  await expect(waiting).rejects.toMatchObject({ data: { unusable: 0 } });
});

test("an answer with neither a result nor an error ends its call at once", async () => {
  const { connections, call } = open({ raw: rawServer({ tools, replies: { odd: { id: "$id" } } }) });
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({
    code: "call_protocol_error",
    message:
      'Server "raw" did not answer: its answer has neither a result nor an error. The call may have run.',
    data: { executed: "maybe" },
  });
});

test("a secret in a server's error does not reach the caller", async () => {
  const replies = { odd: { id: "$id", error: { code: 1, message: "bad key hunter2-hunter2" } } };
  const { connections, call } = open({ raw: rawServer({ tools, replies }) });
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({
    message: 'Server "raw" answered with error 1: bad key ⟨secret⟩',
  });
});

test("a server that calls its error the host's own still speaks for itself", async () => {
  const error = { code: -32603, message: "The answer was dropped.", data: { host: "oversize" } };
  const { connections, call } = open({ raw: rawServer({ tools, replies: { odd: { id: "$id", error } } }) });
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({
    code: "call_protocol_error",
    message: 'Server "raw" answered with error -32603: The answer was dropped.',
    data: { executed: "maybe" },
  });
});

test("an answer over the limit fails its call and not the connection", async () => {
  const text = "x".repeat(100_000);
  const replies = { odd: { id: "$id", result: { content: [{ type: "text", text }] } } };
  const { connections, call } = open(
    { raw: rawServer({ tools, replies }) },
    { limits: { messageBytes: 50_000 } },
  );
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({ code: "call_oversize", data: { executed: "yes" } });
  expect((await call("progress")).isError).toBe(false);
});

test("a server that asks for input which the host does not offer fails that call", async () => {
  const inputRequests = {
    name: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } },
  };
  const replies = { odd: { id: "$id", result: { resultType: "input_required", inputRequests } } };
  const { connections, call } = open({ raw: rawServer({ discover: "modern", tools, replies }) });
  await connections.ready(never);
  await expect(call("odd")).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining("elicitation/create"),
  });
});

test("many parallel calls with one signal leave no warning and no listener", async () => {
  const { connections, call } = open({ everything: referenceServer("everything", "stdio") });
  await connections.ready(never);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 50 }, () => call("echo", { arguments: { message: "x" }, signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

test("closing ends the calls that are under way", async () => {
  const log = logFile();
  const { connections, call } = open({ raw: rawServer({ tools, log: log.path }) });
  await connections.ready(never);
  const called = call("wait");
  await until(() => log.lines().includes("tools/call:wait"));
  const closed = connections.close();
  await expect(called).rejects.toMatchObject({ code: "call_aborted" });
  await closed;
  await connections.close();
  await expect(call("progress")).rejects.toMatchObject({ code: "call_not_sent" });
});
