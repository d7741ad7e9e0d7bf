import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createKeepAliveFetch } from "./keep-alive-fetch.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    handle(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a body is streamed piece by piece, as it comes", async () => {
  let more = (): void => {};
  const url = await serve((_, response) => {
    response.write("one");
    more = () => response.end("two");
  });
  const response = await createKeepAliveFetch()(url);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe("one");
  more();
  const second = await reader?.read();
  expect(new TextDecoder().decode(second?.value)).toBe("two");
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

test("a body goes through the pipes that the protocol's client uses", async () => {
  const url = await serve((_, response) => response.end("data: น้ำ\n\n"));
  const response = await createKeepAliveFetch()(url);
  const parts: string[] = [];
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) parts.push(part);
  expect(parts.join("")).toBe("data: น้ำ\n\n");
});

test("cancelling a body closes its connection", async () => {
  let closed: Promise<void> = Promise.resolve();
  const url = await serve((request, response) => {
    closed = new Promise((resolve) => request.socket.once("close", () => resolve()));
    response.write("endless");
  });
  const response = await createKeepAliveFetch()(url);
  await response.body?.cancel();
  await closed;
});

test("a large body is held back by a slow reader, and arrives whole", async () => {
  const size = 4 * 1024 * 1024;
  const url = await serve((_, response) => response.end(Buffer.alloc(size, 120)));
  const response = await createKeepAliveFetch()(url);
  let received = 0;
  for await (const chunk of response.body ?? []) {
    received += chunk.byteLength;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(received).toBe(size);
});

test("a clone can be read beside the original", async () => {
  const url = await serve((_, response) => response.end('{"a":1}'));
  const response = await createKeepAliveFetch()(url);
  const clone = response.clone();
  expect(await clone.json()).toEqual({ a: 1 });
  expect(await response.json()).toEqual({ a: 1 });
});

test("an abort before, during and after the head of the answer rejects with its reason", async () => {
  const fetch = createKeepAliveFetch();
  const url = await serve((request, response) => {
    if (request.url === "/head") response.write("begun");
  });
  await expect(fetch(url, { signal: AbortSignal.abort("before") })).rejects.toBe("before");
  const silent = new AbortController();
  const asked = fetch(url, { signal: silent.signal });
  setImmediate(() => silent.abort("during"));
  await expect(asked).rejects.toBe("during");
  for (const read of [
    (response: Response) => response.text(),
    async (response: Response) => {
      for await (const _ of response.body ?? []);
    },
  ]) {
    const controller = new AbortController();
    const response = await fetch(`${url}/head`, { signal: controller.signal });
    const reading = read(response);
    controller.abort("after");
    await expect(reading).rejects.toBe("after");
  }
});

test("a signal that outlives its requests keeps no listener of theirs", async () => {
  const url = await serve((_, response) => response.end("x"));
  const fetch = createKeepAliveFetch();
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  for (let count = 0; count < 3; count += 1) await (await fetch(url, { signal })).text();
  await new Promise((resolve) => setImmediate(resolve));
  expect(listeners).toBe(0);
});

test("a body that is cut off is an error, not an end", async () => {
  const url = await serve((request, response) => {
    response.write("half");
    setImmediate(() => request.socket.destroy());
  });
  const fetch = createKeepAliveFetch();
  await expect((await fetch(url)).text()).rejects.toThrow("terminated");
  const response = await fetch(url);
  const reading = (async () => {
    for await (const _ of response.body ?? []);
  })();
  await expect(reading).rejects.toThrow("terminated");
});

test("a body that broke before anybody read it is still an error", async () => {
  const url = await serve((request, response) => {
    response.write("half");
    setImmediate(() => request.socket.destroy());
  });
  const response = await createKeepAliveFetch()(url);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(response.text()).rejects.toThrow("terminated");
});
