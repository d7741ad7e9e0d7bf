import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { networkReason } from "./failure.ts";
import { createKeepAliveFetch } from "./keep-alive-fetch.ts";
import { inOwnWords } from "./sdk-words.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** What a fetch rejects with where these bytes are the answer. */
function problemOf(answer: string): Promise<unknown> {
  return answerOf(answer).then(
    (response) => response.status,
    (thrown: unknown) => thrown,
  );
}

async function answerOf(answer: string | Buffer): Promise<Response> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return createKeepAliveFetch()(`http://127.0.0.1:${address.port}`);
}

test("a server that changes to another protocol unasked has not answered, and nobody waits for it", async () => {
  const thrown = await problemOf(
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  );
  expect(thrown).toMatchObject({ name: "TypeError", message: "fetch failed" });
  expect(inOwnWords(thrown)).toBe(
    "its answer cannot be read: it changes to another protocol, which nobody asked for",
  );
});

test("a status that HTTP does not have is told as such", async () => {
  const thrown = await problemOf("HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n");
  expect(inOwnWords(thrown)).toBe("its answer cannot be read: its status 799 is none of HTTP");
  expect(networkReason(thrown)).toBeNull();
});

test("an answer that is no HTTP, and one with too large headers, are told by the parser's word", async () => {
  expect(inOwnWords(await problemOf("not http at all\r\n\r\n"))).toMatch(
    /^its answer is no HTTP \(HPE_[A-Z_]+\)$/,
  );
  const headers = `HTTP/1.1 200 OK\r\nx-big: ${"a".repeat(100_000)}\r\n\r\n`;
  expect(inOwnWords(await problemOf(headers))).toBe("its answer is no HTTP (HPE_HEADER_OVERFLOW)");
});

test("an answer that is compressed although nobody asked for that is read", async () => {
  const body = gzipSync('{"jsonrpc":"2.0"}');
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
  const response = await answerOf(Buffer.concat([Buffer.from(head), body]));
  expect(await response.json()).toEqual({ jsonrpc: "2.0" });
  expect(response.headers.has("content-length")).toBe(false);
});
