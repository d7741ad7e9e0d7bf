import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import type { AnswerReader, HostAnswer, HostFetch } from "../../types/fetch.ts";
import { createKeepAliveFetch } from "../keep-alive-fetch.ts";

const servers: Server[] = [];
const fetches: HostFetch[] = [];
afterEach(async () => {
  for (const fetch of fetches.splice(0)) fetch.close?.();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server, and how requests are posted to it. */
async function serve(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<(settings?: { headers?: Record<string, string>; signal?: AbortSignal }) => Promise<HostAnswer>> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => handle(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createKeepAliveFetch();
  fetches.push(fetch);
  return async ({ headers = {}, signal = new AbortController().signal } = {}) => {
    const chunks = [new TextEncoder().encode("one,"), new TextEncoder().encode("two")];
    const answer = await fetch.post?.(url, { headers, chunks, signal });
    if (answer === undefined) throw new Error("the host's own fetch has no post");
    return answer;
  };
}

function readerOf({ body }: HostAnswer): AnswerReader {
  if (body === null) throw new Error("there is no body");
  return body.getReader();
}

async function textOf(reader: AnswerReader): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done === true) return text;
    text += new TextDecoder().decode(value);
  }
}

test("an answer is read piece by piece as it comes, with its status and headers", async () => {
  let more = (): void => {};
  let received: IncomingMessage["headers"] = {};
  let body = "";
  const post = await serve((request, response, text) => {
    received = request.headers;
    body = text;
    response.writeHead(201, { "content-type": "text/event-stream", "set-cookie": ["a", "b"] });
    response.write("first");
    more = () => response.end("second");
  });
  const answer = await post({ headers: { authorization: "Bearer key\n" } });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("Content-Type")).toBe("text/event-stream");
  expect(answer.headers.get("set-cookie")).toBe("a, b");
  expect(answer.headers.get("missing")).toBeNull();
  expect(received).toMatchObject({ authorization: "Bearer key", "content-length": "7" });
  expect(body).toBe("one,two");
  const reader = readerOf(answer);
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("first");
  more();
  expect(await textOf(reader)).toBe("second");
});

test("a whole answer leaves its connection for the next request, also with an end that nobody read", async () => {
  const sockets = new Set<Socket>();
  const post = await serve((request, response) => {
    sockets.add(request.socket);
    response.end("x".repeat(100_000));
  });
  await textOf(readerOf(await post()));
  const reader = readerOf(await post());
  // The message is complete once its last piece has come in, whether or not that was read.
  let left = 50_000;
  while (left > 0) left -= (await reader.read()).value?.length ?? left;
  await new Promise((resolve) => setImmediate(resolve));
  await reader.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  await textOf(readerOf(await post()));
  expect(sockets.size).toBe(1);
});

test("an answer that is not wanted any more ends its connection", async () => {
  let closed: Promise<void> = Promise.resolve();
  const post = await serve((request, response) => {
    closed = new Promise((resolve) => request.socket.once("close", () => resolve()));
    response.write("endless");
  });
  await readerOf(await post()).cancel();
  await closed;
});

test("a request that meets a connection that was closed meanwhile is sent again over another one", async () => {
  let requests = 0;
  const post = await serve((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.destroy();
    else response.end(`answer ${requests}`);
  });
  expect(await textOf(readerOf(await post()))).toBe("answer 1");
  expect(await textOf(readerOf(await post()))).toBe("answer 3");
});

test("an abort ends the reading with its reason, and a lost connection with an error of fetch", async () => {
  const post = await serve((_, response) => {
    response.write("begun");
  });
  const abort = new AbortController();
  const reader = readerOf(await post({ signal: abort.signal }));
  await reader.read();
  const reading = reader.read();
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);

  const cut = await serve((request, response) => {
    response.write("begun");
    setImmediate(() => request.socket.destroy());
  });
  await expect(cut().then((answer) => textOf(readerOf(answer)))).rejects.toThrow(new TypeError("terminated"));
});

test("a connection that is lost before anybody reads is told to the reader", async () => {
  let lost: Promise<void> = Promise.resolve();
  const post = await serve((request, response) => {
    response.writeHead(200);
    response.flushHeaders();
    lost = new Promise((resolve) => request.socket.once("close", () => resolve()));
    setImmediate(() => request.socket.destroy());
  });
  const answer = await post();
  await lost;
  await new Promise((resolve) => setImmediate(resolve));
  await expect(textOf(readerOf(answer))).rejects.toThrow(new TypeError("terminated"));
});

test("what is no success, or compressed all the same, is read as any other answer", async () => {
  const refusing = await serve((_, response) => {
    response.writeHead(429, { "retry-after": "3" }).end("later");
  });
  const refusal = await refusing();
  expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(await textOf(readerOf(refusal))).toBe("later");

  const packing = await serve((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("data: น้ำ\n\n"));
  });
  expect(await textOf(readerOf(await packing()))).toBe("data: น้ำ\n\n");
});

test("only addresses of HTTP are posted to", async () => {
  const fetch = createKeepAliveFetch();
  const { signal } = new AbortController();
  await expect(fetch.post?.("ftp://127.0.0.1/", { headers: {}, chunks: [], signal })).rejects.toThrow(
    "not a protocol that can be fetched",
  );
});
