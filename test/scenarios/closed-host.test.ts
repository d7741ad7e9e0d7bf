import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { scriptedModel } from "../../src/testing/index.ts";

test("a closed host leaves no connection open, though the server would keep it", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const host = createHost({
    servers: { web: { url } },
    model: scriptedModel([]),
    state: false,
    audit: false,
  });
  const { stop } = await host.run("go").result;
  expect(stop.type).toBe("failed");
  expect(sockets.size).toBeGreaterThan(0);
  const closed = Promise.all([...sockets].map((socket) => once(socket, "close")));
  await host.close();
  await closed;
  expect(sockets.size).toBe(0);
  server.close();
});
