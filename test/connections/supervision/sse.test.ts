import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { never, open, until } from "../../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer } from "../../fixtures/connections/http-server.ts";

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

test("a server of the oldest kind whose stream breaks fails its calls at once, and is connected to again", async () => {
  const streams: ServerResponse[] = [];
  const answers = legacyAnswer(() => {});
  const { url } = await httpServer(async (received, response) => {
    if (received.verb === "GET") {
      streams.push(response.writeHead(200, events));
      response.write(`event: endpoint\ndata: /messages?session=${streams.length}\n\n`);
      return;
    }
    if (!String(received.url).startsWith("/messages")) return void response.writeHead(405).end();
    response.writeHead(202).end();
    if (received.method === "tools/call" && streams.length === 1) return void streams[0]?.destroy();
    const stream = streams.at(-1);
    const told: Pick<ServerResponse, "writeHead" | "end"> = {
      writeHead: () => response,
      end: ((text: string) => stream?.write(`event: message\ndata: ${text}\n\n`)) as never,
    };
    if (received.method === "tools/call") {
      told.end(JSON.stringify({ jsonrpc: "2.0", id: received.id, result }));
    } else if (received.id !== undefined) await answers(received, told as ServerResponse);
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
