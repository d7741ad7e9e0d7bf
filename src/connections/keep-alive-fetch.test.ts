import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createKeepAliveFetch } from "./keep-alive-fetch.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Handler = (request: IncomingMessage, response: ServerResponse, text: string) => void;

async function serve(handle: Handler): Promise<{ url: string; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => handle(request, response, Buffer.concat(chunks).toString()));
  });
  server.on("connection", (socket) => sockets.add(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sockets };
}

const echo: Handler = (request, response, text) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, text }));
};

/** A connection is free for the next request one turn of the event loop after its answer was read. */
const released = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly text: string;
}

test("a request arrives as it was meant, and the answer is a Response", async () => {
  const { url } = await serve(echo);
  const fetch = createKeepAliveFetch();
  const response = await fetch(`${url}/a?b=c`, { method: "post", headers: { "X-One": "1" }, body: "น้ำ" });
  expect(response).toBeInstanceOf(Response);
  expect(response).toMatchObject({
    ok: true,
    status: 200,
    statusText: "OK",
    url: `${url}/a?b=c`,
    redirected: false,
  });
  const echoed = (await response.json()) as Echo;
  expect(echoed).toMatchObject({ method: "POST", url: "/a?b=c", text: "น้ำ" });
  expect(echoed.headers).toMatchObject({
    "x-one": "1",
    "content-type": "text/plain;charset=UTF-8",
    "content-length": "9",
  });
  expect(echoed.headers["accept-encoding"]).toBeUndefined();
  await expect(response.text()).rejects.toThrow("already been read");
});

test("bodies of every kind are sent", async () => {
  const { url } = await serve(echo);
  const fetch = createKeepAliveFetch();
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const send = async (body: unknown): Promise<Echo> =>
    (await (await fetch(url, { method: "POST", body } as RequestInit)).json()) as Echo;
  expect((await send(bytes("abc"))).text).toBe("abc");
  const form = await send(new URLSearchParams({ a: "1 2" }));
  expect(form.text).toBe("a=1+2");
  expect(form.headers["content-type"]).toContain("application/x-www-form-urlencoded");
  expect((await send(null)).headers["content-length"]).toBe("0");
  const request = new Request(`${url}/r`, { method: "PUT", body: "xyz", headers: { "x-a": "b" } });
  expect((await (await fetch(request)).json()) as Echo).toMatchObject({
    method: "PUT",
    url: "/r",
    text: "xyz",
  });
});

test("headers of one name are joined, and cookies stay apart", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(
      200,
      [
        ["x-many", "1"],
        ["x-many", "2"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ].flat(),
    );
    response.end();
  });
  const { headers } = await createKeepAliveFetch()(url);
  expect(headers.get("x-many")).toBe("1, 2");
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test("connections are used again, also after answers without a body", async () => {
  const { url, sockets } = await serve((_, response) => {
    response.statusCode = 202;
    response.end();
  });
  const fetch = createKeepAliveFetch();
  for (let count = 0; count < 3; count += 1) {
    expect(await (await fetch(url, { method: "POST", body: "x" })).text()).toBe("");
    await released();
  }
  expect(sockets.size).toBe(1);
});

test("a connection that the server closed is replaced once for a request that may be repeated", async () => {
  let requests = 0;
  const { url } = await serve((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.destroy();
    else response.end(`answer ${requests}`);
  });
  const fetch = createKeepAliveFetch();
  await (await fetch(url)).text();
  await released();
  const repeated = await fetch(url, { method: "POST", body: "x", replayable: true } as RequestInit);
  expect(await repeated.text()).toBe("answer 3");
});

test("a request with side effects is sent once, whatever becomes of the connection", async () => {
  let requests = 0;
  const { url } = await serve((request, response) => {
    requests += 1;
    if (requests === 1) response.end("warm");
    else request.socket.destroy();
  });
  const fetch = createKeepAliveFetch();
  await (await fetch(url)).text();
  await released();
  await expect(fetch(url, { method: "POST", body: "x" })).rejects.toThrow("fetch failed");
  expect(requests).toBe(2);
});

test("a fresh connection that breaks is not tried again", async () => {
  let requests = 0;
  const { url } = await serve((request) => {
    requests += 1;
    request.socket.destroy();
  });
  await expect(createKeepAliveFetch()(url)).rejects.toMatchObject({
    message: "fetch failed",
    cause: { code: "ECONNRESET" },
  });
  expect(requests).toBe(1);
});

test("redirects are left alone unless asked, and credentials stay with their origin", async () => {
  const other = await serve(echo);
  const { url } = await serve((_, response) => {
    response.writeHead(302, { location: `${other.url}/there` });
    response.end("moved");
  });
  const fetch = createKeepAliveFetch();
  const left = await fetch(url);
  expect([left.status, await left.text()]).toEqual([302, "moved"]);
  expect((await fetch(url, { method: "POST", body: "x", redirect: "follow" })).status).toBe(302);
  await expect(fetch(url, { redirect: "error" })).rejects.toThrow("fetch failed");
  const followed = await fetch(url, {
    redirect: "follow",
    headers: { authorization: "Bearer k", "x-a": "b" },
  });
  expect(followed).toMatchObject({ status: 200, redirected: true, url: `${other.url}/there` });
  const { headers } = (await followed.json()) as Echo;
  expect(headers["x-a"]).toBe("b");
  expect(headers.authorization).toBeUndefined();
});

test("a circle of redirects ends", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(302, { location: "/again" });
    response.end();
  });
  await expect(createKeepAliveFetch()(url, { redirect: "follow" })).rejects.toThrow("fetch failed");
});
