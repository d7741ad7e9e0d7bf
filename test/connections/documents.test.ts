import { expect, test } from "vitest";
import { never, open } from "../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer, sendJson } from "../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };
const answers: readonly [string, (id: unknown) => unknown][] = [
  ["another id", () => ({ jsonrpc: "2.0", id: 4_711, result: done })],
  ["a list without the answer", () => [{ jsonrpc: "2.0", id: "x", result: done }]],
  ["a request instead of an answer", () => ({ jsonrpc: "2.0", id: 1, method: "ping" })],
];

test.each(answers)(
  "a document with %s fails its call at once, and the connection goes on",
  async (_, answer) => {
    let asked = 0;
    const { url } = await httpServer(
      legacyAnswer(({ id }, response) => {
        asked += 1;
        sendJson(response, asked === 1 ? answer(id) : { jsonrpc: "2.0", id, result: done });
      }, "session"),
    );
    const { connections, call } = open({ http: { url, protocol: "legacy" } });
    await connections.ready(never);
    await expect(call("t")).rejects.toMatchObject({
      code: "call_protocol_error",
      data: { executed: "maybe" },
      message: expect.stringContaining("belongs to no request of this host. The call may have run."),
    });
    expect((await call("t")).content).toEqual(done.content);
  },
);

test("a document with another id in the place of the tool list fails the start at once", async () => {
  const answer = legacyAnswer(() => {});
  const { url } = await httpServer((received, response) =>
    received.method === "tools/list"
      ? sendJson(response, { jsonrpc: "2.0", id: "other", result: { tools: [] } })
      : answer(received, response),
  );
  const { connections } = open({ http: { url, protocol: "legacy" } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_list_failed",
    message: expect.stringContaining("its answer belongs to no request of this host"),
  });
});

test("an answer among others in one document is taken", async () => {
  const { url } = await httpServer(
    legacyAnswer(({ id }, response) => {
      const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };
      sendJson(response, [log, { jsonrpc: "2.0", id: 99, result: {} }, { jsonrpc: "2.0", id, result: done }]);
    }),
  );
  const { connections, call } = open({ http: { url, protocol: "legacy" } });
  await connections.ready(never);
  expect((await call("t")).content).toEqual(done.content);
});

test.each([
  ["garbage", "application/json", "{", "its answer is no JSON"],
  ["no message", "application/json", '{"hello":1}', "its answer is no JSON-RPC message"],
  ["a page", "text/html", "<p>hello", "it answered with the content type text/html instead of MCP"],
])("a server that answers with %s is refused in the host's own words", async (_, type, body, words) => {
  const { url } = await httpServer((_received, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  });
  const { connections } = open({ http: { url } });
  const thrown: unknown = await connections.ready(never).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: "server_protocol", message: expect.stringContaining(words) });
  expect(String(thrown)).not.toMatch(/negotiation|unusable reply|Unexpected/);
});
