import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { never, open, until } from "../../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer, sendJson } from "../../fixtures/connections/http-server.ts";

const events = { "content-type": "text/event-stream" };
const result = { content: [{ type: "text", text: "done" }] };

test("an answer on a stream whose lines end with carriage returns alone comes at once", async () => {
  const { url } = await httpServer(
    legacyAnswer(({ id }, response) => {
      response.writeHead(200, events);
      // The stream stays open: nothing comes after the last return.
      response.write(`event: message\rdata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\r\r`);
    }),
  );
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  expect((await call("t")).content).toEqual(result.content);
});

interface Oldest {
  /** The streams that were opened so far. */
  readonly streams: ServerResponse[];
  /** Says something on the newest stream. */
  say(message: object): void;
}

/** A server of the oldest kind (HTTP+SSE). `post` may take a message for itself, and `endpoint` is where they go. */
async function oldest(
  post: (
    received: { readonly id: unknown; readonly method: string | undefined },
    response: ServerResponse,
  ) => boolean,
  { endpoint = "/messages?session=$n", type = events["content-type"] } = {},
): Promise<Oldest & { readonly url: string }> {
  const streams: ServerResponse[] = [];
  const say = (message: object) =>
    void streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  const answers = legacyAnswer(({ id }) => say({ jsonrpc: "2.0", id, result }));
  const { url } = await httpServer(async (received, response) => {
    if (received.verb === "GET") {
      streams.push(response.writeHead(200, { "content-type": type }));
      response.write(`event: endpoint\ndata: ${endpoint.replace("$n", String(streams.length))}\n\n`);
      return;
    }
    if (!received.url.startsWith("/messages")) return void response.writeHead(405).end();
    if (post(received, response)) return;
    response.writeHead(202).end();
    const told: Pick<ServerResponse, "writeHead" | "end"> = {
      writeHead: () => response,
      end: ((text: string) => say(JSON.parse(text))) as never,
    };
    if (received.id !== undefined) await answers(received, told as ServerResponse);
  });
  return { url, streams, say };
}

test("a server of the oldest kind whose stream breaks fails its calls at once, and is connected to again", async () => {
  const { url, streams } = await oldest(({ method }, response) => {
    if (method !== "tools/call" || streams.length > 1) return false;
    response.writeHead(202).end();
    streams[0]?.destroy();
    return true;
  });
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_connection_lost",
    data: { executed: "maybe" },
  });
  await until(() => streams.length === 2 && connections.status()[0]?.state === "ready");
  expect((await call("t")).content).toEqual(result.content);
});

test("a server of the oldest kind that has forgotten a session has not run the call, and is connected to again", async () => {
  const { url, streams } = await oldest(({ method }, response) => {
    if (method !== "tools/call" || streams.length > 1) return false;
    response.writeHead(404).end("No such session");
    return true;
  });
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_http_error",
    message: expect.stringContaining("HTTP 404. It says: No such session"),
    data: { executed: "no", status: 404 },
  });
  await until(() => streams.length === 2 && connections.status()[0]?.state === "ready");
  expect((await call("t")).content).toEqual(result.content);
});

test("a server of the oldest kind that fails at a message keeps its connection", async () => {
  let calls = 0;
  const { url, streams } = await oldest(({ method }, response) => {
    if (method !== "tools/call" || calls++ > 0) return false;
    response.writeHead(500).end("boom");
    return true;
  });
  const { connections, call } = open({ http: { url } });
  await connections.ready(never);
  await expect(call("t")).rejects.toMatchObject({
    code: "call_http_error",
    message: expect.stringContaining("HTTP 500. The call may have run. It says: boom"),
    data: { executed: "maybe", status: 500 },
  });
  expect((await call("t")).content).toEqual(result.content);
  expect(streams).toHaveLength(1);
});

test.each([
  ["its answer", (id: unknown) => ({ jsonrpc: "2.0", id, result })],
  ["its answer and says it on its stream as well", (id: unknown) => ({ jsonrpc: "2.0", id, result })],
  ["another document", () => ({ status: "queued" })],
])(
  "of a server of the oldest kind that answers a message with %s the result is heard once",
  async (what, body) => {
    const { url, say } = await oldest(({ id, method }, response) => {
      if (method !== "tools/call") return false;
      sendJson(response, body(id));
      if (what !== "its answer") say({ jsonrpc: "2.0", id, result });
      return true;
    });
    const { connections, call } = open({ http: { url } });
    await connections.ready(never);
    expect(await call("t")).toMatchObject({ content: result.content, repairs: [] });
    expect(await call("t")).toMatchObject({ content: result.content, repairs: [] });
  },
);

test("a stream of events is one however its type is written", async () => {
  const { url } = await oldest(() => false, { type: "Text/Event-Stream; Charset=UTF-8" });
  const { connections } = open({ http: { url } });
  await connections.ready(never);
});

test("why a stream of the oldest kind cannot be used is said, and not that its URL is wrong", async () => {
  const { url } = await oldest(() => false, { endpoint: "https://evil.example/messages" });
  const { connections } = open({ http: { url } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_protocol",
    message: expect.stringContaining(
      "its event stream wants messages sent to another origin, https://evil.example.",
    ),
  });
});

test("of a stream of the oldest kind that never says where messages go, that is said", async () => {
  const { url } = await httpServer(({ verb }, response) => {
    if (verb === "GET") response.writeHead(200, events).flushHeaders();
    else response.writeHead(405).end();
  });
  const { connections } = open({ http: { url } }, { limits: { serverStartMs: 2_000 } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_start_timeout",
    message: expect.stringContaining("; its event stream has not said where messages go."),
  });
});

test("a newer server that refuses the handshake is told by its refusal, although it has a stream too", async () => {
  const { url } = await httpServer(({ verb }, response) => {
    if (verb === "GET") response.writeHead(200, events).flushHeaders();
    else response.writeHead(400).end("The key is missing");
  });
  const { connections } = open({ http: { url } }, { limits: { serverStartMs: 2_000 } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    message: expect.stringContaining("HTTP 400: The key is missing"),
  });
});

test.each([
  [500, "it answered with HTTP 500: boom."],
  [404, "there is no MCP server at this URL (HTTP 404)."],
  [403, "it refused access (HTTP 403)."],
])(
  "a server of the oldest kind that refuses the handshake with %d is told by its refusal",
  async (status, told) => {
    const { url } = await oldest((_, response) => {
      response.writeHead(status).end("boom");
      return true;
    });
    const { connections } = open({ http: { url } });
    await expect(connections.ready(never)).rejects.toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining(told),
    });
  },
);

test("a stream of the oldest kind that ends in the middle of the handshake ends the start", async () => {
  const { url, streams } = await oldest((_, response) => {
    response.writeHead(202).end();
    streams.at(-1)?.end();
    return true;
  });
  const { connections } = open({ http: { url } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_exited",
    message: expect.stringContaining("it closed the connection at once"),
  });
});
