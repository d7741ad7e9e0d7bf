import { expect, test } from "vitest";
import { createKeepAliveFetch } from "../../src/connections/keep-alive-fetch.ts";
import { never, open } from "../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer, sendJson } from "../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };
const legacy = legacyAnswer(({ id }, response) => sendJson(response, { jsonrpc: "2.0", id, result: done }));

test("a server that has closed a connection without a word is asked for what it offers over a new one", async () => {
  const used = new WeakSet();
  const { url } = await httpServer((received, response) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) return void socket?.destroy();
    used.add(socket);
    return legacy(received, response);
  });
  const { connections } = open({ http: { url } }, { fetch: createKeepAliveFetch() });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready" }]);
});

test("a call is sent once, also when its connection turns out to be closed", async () => {
  const { url, seen } = await httpServer((received, response) => {
    if (received.method === "tools/call") response.socket?.destroy();
    else return legacy(received, response);
  });
  const { connections, call } = open({ http: { url } }, { fetch: createKeepAliveFetch() });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_connection_lost",
    data: { executed: "maybe" },
  });
  expect(seen.filter((method) => method === "tools/call")).toHaveLength(1);
});

test.each([
  ["answers it with an error page", true],
  ["never answers it", false],
])("an older HTTP server that does not know the probe and %s is asked to initialize", async (_, answers) => {
  const { url, seen } = await httpServer((received, response) => {
    if (received.method !== "server/discover") return legacy(received, response);
    if (answers) response.writeHead(500, { "content-type": "text/html" }).end("<h1>Internal error</h1>");
  });
  const { connections, call } = open({ http: { url } }, { limits: { eraProbeMs: 200 } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
  expect((await call("t")).content).toEqual(done.content);
  expect(seen).toContain("initialize");
});

test("a server that holds the probe is asked to initialize, however short its start is", async () => {
  const { url } = await httpServer((received, response) => {
    if (received.method !== "server/discover") return legacy(received, response);
  });
  const { connections } = open({ http: { url } }, { limits: { serverStartMs: 2_000 } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
});

test("of a server that answers neither the probe nor initialize it is said how to leave the probe out", async () => {
  const { url, seen } = await httpServer(() => {});
  const { connections } = open({ http: { url } }, { limits: { serverStartMs: 2_000 } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_start_timeout",
    message: expect.stringMatching(/not ready within 2 seconds.*server\/discover.*"protocol": "legacy"/s),
  });
  expect(seen).toEqual(["server/discover", "initialize"]);
});

test("a server that refuses the key is not asked a second time in another way", async () => {
  const { url, seen } = await httpServer((_, response) => {
    response.writeHead(401).end();
  });
  const { connections } = open({ http: { url } });
  await expect(connections.ready(never)).rejects.toMatchObject({ message: expect.stringContaining("401") });
  expect(seen.filter((method) => method === "initialize")).toEqual([]);
});

test("of an HTTP server whose versions the host does not speak these are told, whatever it makes of initialize", async () => {
  const { url } = await httpServer(({ id, method }, response) => {
    const result = { supportedVersions: ["2099-01-01"], capabilities: {} };
    if (method === "server/discover") return sendJson(response, { jsonrpc: "2.0", id, result });
    response.writeHead(404).end();
  });
  const { connections } = open({ http: { url } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    message: expect.stringContaining('speaks only protocol versions that this host does not: ["2099-01-01"]'),
  });
});
