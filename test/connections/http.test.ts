import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import type { HostError } from "../../src/errors.ts";
import { never, open, until } from "../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer, sendJson } from "../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };

test("a legacy HTTP server is found out and called, with the configured headers on every request", async () => {
  const keys = new Set<unknown>();
  const answer = legacyAnswer(({ id }, response) => sendJson(response, { jsonrpc: "2.0", id, result: done }));
  const { url, seen } = await httpServer((received, response) => {
    keys.add(received.headers["x-key"]);
    return answer(received, response);
  });
  const { connections, call } = open({ http: { url, headers: { "X-Key": "k" } } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy", tools: 1 }]);
  expect((await call("t")).content).toEqual(done.content);
  expect(seen).toContain("initialize");
  expect([...keys]).toEqual(["k"]);
});

function modernHandler() {
  let more = false;
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: "modern", version: "1" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool("t", {}, () => done as never);
    if (more) server.registerTool("more", {}, () => done as never);
    return server;
  });
  const grow = () => {
    more = true;
    handler.notify.toolsChanged();
  };
  return { handler, grow };
}

test("a modern HTTP server is spoken to in the new era, and its changes are noticed", async () => {
  const { handler, grow } = modernHandler();
  const toHandler = ((input, init) => handler.fetch(new Request(input, init))) as typeof fetch;
  const { connections, call } = open({ http: { url: "http://modern.test/mcp" } }, { fetch: toHandler });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "modern", tools: 1 }]);
  expect((await call("t")).content).toEqual(done.content);
  grow();
  await until(() => connections.current()[0]?.tools.length === 2);
});

test("a lost session is begun anew once for all calls that wait, and each is sent once more", async () => {
  let session = 1;
  const valid = () => `session-${session}`;
  const call = legacyAnswer(({ id }, response) => sendJson(response, { jsonrpc: "2.0", id, result: done }));
  const { url, seen } = await httpServer((received, response) => {
    const { headers, method } = received;
    if (method === "initialize") return legacyAnswer(() => {}, valid())(received, response);
    if (headers["mcp-session-id"] !== undefined && headers["mcp-session-id"] !== valid()) {
      response.writeHead(404).end();
      return;
    }
    return call(received, response);
  });
  const opened = open({ http: { url, protocol: "legacy" } });
  await opened.connections.ready(never);
  session = 2;
  const replies = await Promise.all(Array.from({ length: 10 }, () => opened.call("t")));
  expect(replies.map((reply) => reply.content)).toEqual(Array(10).fill(done.content));
  expect(seen.filter((method) => method === "initialize")).toHaveLength(2);
  await opened.connections.lists(never);
  expect(seen.filter((method) => method === "tools/list")).toHaveLength(2);
});

test("a 400 that speaks of the session is a lost session too", async () => {
  let lost = false;
  const { url } = await httpServer((received, response) => {
    if (received.method === "initialize") lost = false;
    if (lost && received.method !== undefined) {
      sendJson(response, { error: { message: "Bad Request: No valid session ID provided" } }, {}, 400);
      return;
    }
    return legacyAnswer(({ id }, reply) => sendJson(reply, { jsonrpc: "2.0", id, result: done }), "s")(
      received,
      response,
    );
  });
  const { connections, call } = open({ http: { url, protocol: "legacy" } });
  await connections.ready(never);
  lost = true;
  expect((await call("t")).content).toEqual(done.content);
});

test("the session is ended when the host closes", async () => {
  const { url, seen } = await httpServer(legacyAnswer(() => {}, "s"));
  const { connections } = open({ http: { url } });
  await connections.ready(never);
  await connections.close();
  expect(seen).toContain("DELETE");
});

test.each([202, 204])("a call that is only taken (%d) fails at once", async (status) => {
  const { url } = await httpServer(legacyAnswer((_, response) => void response.writeHead(status).end()));
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_protocol_error",
    message: `Server "http" did not answer: it took the request (HTTP ${status}) and sends no answer to it. The call may have run.`,
    data: { executed: "maybe" },
  });
});

test("a response stream that ends early fails its call at once", async () => {
  const { url } = await httpServer(
    legacyAnswer(
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(": hi\n\n"),
    ),
  );
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_connection_lost",
    data: { executed: "maybe" },
  });
});

test("a busy server is waited for as it asks", async () => {
  let refusals = 2;
  const { url, seen } = await httpServer(
    legacyAnswer(({ id }, response) => {
      if (refusals-- > 0) response.writeHead(429, { "retry-after": "0" }).end();
      else sendJson(response, { jsonrpc: "2.0", id, result: done });
    }),
  );
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  expect((await call("t")).content).toEqual(done.content);
  expect(seen.filter((method) => method === "tools/call")).toHaveLength(3);
});

test.each([
  [503, { "retry-after": "0" }, { executed: "no", retryAfterMs: 0 }],
  [429, { "retry-after": "86400" }, { executed: "no", retryAfterMs: 86_400_000 }],
  [429, {}, { executed: "no" }],
  [403, {}, { executed: "no" }],
  [500, {}, { executed: "maybe" }],
])("a call that is answered with HTTP %i is sent once", async (status, headers, told) => {
  const { url, seen } = await httpServer(
    legacyAnswer((_, response) => void response.writeHead(status, headers).end()),
  );
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  const error = await call("t").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "call_http_error" });
  // Nothing else is known of it.
  expect((error as HostError).data).toEqual({ status, ...told });
  // Whoever would call it again has to know that it may be the second time.
  expect((error as HostError).message.endsWith("The call may have run.")).toBe(told.executed === "maybe");
  expect(seen.filter((method) => method === "tools/call")).toHaveLength(1);
});

test.each([["json"], ["event-stream"]])(
  "an answer over the limit as %s fails its call alone",
  async (kind) => {
    let large = true;
    const { url } = await httpServer(
      legacyAnswer(({ id }, response) => {
        const text = large ? "x".repeat(200_000) : "small";
        large = false;
        const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
        if (kind === "json") response.writeHead(200, { "content-type": "application/json" }).end(body);
        else response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${body}\n\n`);
      }),
    );
    const { connections, call } = open({ http: { url } }, { limits: { messageBytes: 50_000 } });
    await connections.ready(never);
    await expect(call("t")).rejects.toMatchObject({ code: "call_oversize", data: { executed: "yes" } });
    expect((await call("t")).content).toEqual([{ type: "text", text: "small" }]);
  },
);

test("an abort reaches a legacy HTTP server and closes the response stream", async () => {
  let streamClosed = false;
  let streaming = false;
  const { url, seen } = await httpServer(
    legacyAnswer((_, response) => {
      response.on("close", () => {
        streamClosed = true;
      });
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n");
      streaming = true;
    }),
  );
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  const abort = new AbortController();
  const called = call("t", { signal: abort.signal });
  await until(() => streaming);
  abort.abort();
  await expect(called).rejects.toMatchObject({ code: "call_aborted" });
  await until(() => seen.includes("notifications/cancelled") && streamClosed);
});

test.each([
  ["a web page", 200, { "content-type": "text/html" }, "<html>", "server_protocol", /text\/html/],
  ["404", 404, {}, "", "server_unreachable", /no MCP server at this URL \(HTTP 404\)/],
  ["401", 401, {}, "", "server_unreachable", /refused access \(HTTP 401\)/],
  [
    "500 with a page",
    500,
    { "content-type": "text/html" },
    "<html>secret",
    "server_unreachable",
    /HTTP 500 and a web page/,
  ],
])("a URL that answers with %s is one clear line", async (_name, status, headers, body, code, message) => {
  const { url } = await httpServer((_, response) => void response.writeHead(status, headers).end(body));
  const { connections } = open({ http: { url } });
  const failure = await connections.ready(never).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
  expect((failure as Error).message).not.toContain("\n");
});

test("a port where nobody listens is named with the reason, and no secret of its URL", async () => {
  const { url, close } = await httpServer(() => {});
  await close();
  const { connections } = open({ http: { url: `${url}?key=hunter2-hunter2` } });
  const failure = await connections.ready(never).catch((error: Error) => error);
  expect(failure).toMatchObject({
    code: "server_unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  expect((failure as Error).message).not.toContain("hunter2");
});

test("a tool whose header declarations break the rules is quarantined over HTTP, without a word on the terminal", async () => {
  const bad = { type: "object", properties: { where: { type: "object", "x-mcp-header": "Where" } } };
  const good = { type: "object", properties: { where: { type: "string", "x-mcp-header": "Where" } } };
  const headers: unknown[] = [];
  const { url } = await httpServer(({ verb, id, method, headers: sent }, response) => {
    const members = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const reply = (result: object) =>
      sendJson(response, { jsonrpc: "2.0", id, result: { ...result, ...members } });
    if (verb !== "POST") response.writeHead(405).end();
    else if (method === "server/discover")
      reply({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
    else if (method === "tools/list") {
      reply({
        tools: [
          { name: "bad\u001b[2J", inputSchema: bad },
          { name: "good", inputSchema: good },
        ],
      });
    } else {
      headers.push(sent["mcp-param-where"]);
      reply(done);
    }
  });
  using warned = vi.spyOn(console, "warn");
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  const [list] = await connections.lists(never);
  expect(list?.tools.map((tool) => tool.name)).toEqual(["good"]);
  expect(list?.quarantined[0]?.reason).toContain("x-mcp-header");
  expect(warned).not.toHaveBeenCalled();
  await call("good", { arguments: { where: "here" } });
  expect(headers).toEqual(["here"]);
});
