import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "./exchange.ts";
import { createAgents } from "./proxy.ts";
import { toPost } from "./request.ts";

test("an abort in the moment in which the end of an answer is read throws nothing", async () => {
  const server = createServer((_, response) => response.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const abort = new AbortController();
  const thrown: unknown[] = [];
  const note = (error: unknown): unknown => thrown.push(error);
  process.on("uncaughtException", note);
  try {
    const sent = toPost(`http://127.0.0.1:${port}`, { headers: {}, chunks: [], signal: abort.signal });
    const incoming = await exchange(sent, createAgents({}));
    incoming.on("error", () => {});
    incoming.on("data", () => abort.abort(new Error("enough")));
    await once(incoming, "close");
    await new Promise((resolve) => setImmediate(resolve));
    expect(abort.signal.aborted).toBe(true);
    expect(thrown).toEqual([]);
  } finally {
    process.off("uncaughtException", note);
    server.closeAllConnections();
    server.close();
  }
});
