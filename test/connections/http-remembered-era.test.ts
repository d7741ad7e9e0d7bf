import { expect, test } from "vitest";
import type { Memo } from "../../src/types/stores.ts";
import { memoryMemo, never, open } from "../fixtures/connections/connect.ts";
import { type Answer, httpServer, legacyAnswer, sendJson } from "../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };
const legacy = legacyAnswer(({ id }, response) => sendJson(response, { jsonrpc: "2.0", id, result: done }));
const week = 7 * 24 * 60 * 60 * 1000;

/** A server of the newer era alone; `refuse` is what it does with `initialize`. */
const modern =
  (refuse: Answer): Answer =>
  (received, response) => {
    const { id, method } = received;
    const answer = (result: object) =>
      sendJson(response, { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } });
    const cached = { ttlMs: 0, cacheScope: "private" };
    if (method === "server/discover") {
      return answer({ ...cached, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
    }
    if (method === "tools/list") {
      return answer({ ...cached, tools: [{ name: "t", inputSchema: { type: "object" } }] });
    }
    if (method === "tools/call") return answer(done);
    return refuse(received, response);
  };

/** A server that can be another one with its next start, although its address stays the same. */
async function changingServer(first: Answer) {
  let current = first;
  const { url, seen } = await httpServer((received, response) => current(received, response));
  const eraOf = async (memo: Memo) => {
    const from = seen.length;
    const { connections, call } = open({ http: { url } }, { memo, limits: { eraProbeMs: 1_500 } });
    await connections.ready(never);
    expect((await call("t")).content).toEqual(done.content);
    const [status] = connections.status();
    await connections.close();
    return { era: status?.state === "ready" ? status.era : status, asked: seen.slice(from, from + 2) };
  };
  return {
    eraOf,
    become(next: Answer) {
      current = next;
    },
  };
}

test("an HTTP server that is known for the older era is not probed with the next start, nor twice within a week", async () => {
  const memo = memoryMemo();
  const { eraOf } = await changingServer(legacy);
  expect(await eraOf(memo)).toEqual({ era: "legacy", asked: ["server/discover", "initialize"] });
  const [[key = "", verdict] = []] = [...memo.values];
  expect(await eraOf(memo)).toMatchObject({ era: "legacy", asked: ["initialize", expect.anything()] });
  expect(memo.values.get(key)).toEqual(verdict);
  memo.set(key, { era: "legacy", at: Date.now() - week - 1 });
  expect(await eraOf(memo)).toMatchObject({ era: "legacy", asked: ["server/discover", "initialize"] });
});

test.each<[string, Answer]>([
  ["refuses initialize", ({ id }, response) => refuseMethod(id, response, 200)],
  ["refuses initialize with a status", ({ id }, response) => refuseMethod(id, response, 404)],
  ["breaks on initialize", (_, response) => void response.writeHead(500).end("oops")],
  ["never answers initialize", () => {}],
])(
  "a server known for the older era that has become a modern one and %s is used as that",
  async (_, refuse) => {
    const memo = memoryMemo();
    const server = await changingServer(legacy);
    expect(await server.eraOf(memo)).toMatchObject({ era: "legacy" });
    server.become(modern(refuse));
    expect(await server.eraOf(memo)).toMatchObject({ era: "modern" });
    expect(await server.eraOf(memo)).toMatchObject({
      era: "modern",
      asked: ["server/discover", "tools/list"],
    });
    server.become(legacy);
    expect(await server.eraOf(memo)).toMatchObject({ era: "legacy" });
  },
);

test("an HTTP server that failed at the probe is probed again with its next start", async () => {
  const memo = memoryMemo();
  const server = await changingServer((received, response) =>
    received.method === "server/discover"
      ? void response.writeHead(502).end("no upstream")
      : legacy(received, response),
  );
  expect(await server.eraOf(memo)).toMatchObject({ era: "legacy" });
  server.become(modern(({ id }, response) => refuseMethod(id, response, 200)));
  expect(await server.eraOf(memo)).toMatchObject({ era: "modern", asked: ["server/discover", "tools/list"] });
});

test("a remembered era outlives a server that cannot be reached, or that refuses access", async () => {
  const memo = memoryMemo();
  const server = await changingServer(legacy);
  await server.eraOf(memo);
  server.become((_, response) => void response.writeHead(401).end());
  await expect(server.eraOf(memo)).rejects.toMatchObject({ code: "server_unreachable" });
  server.become((_, response) => void response.socket?.destroy());
  await expect(server.eraOf(memo)).rejects.toMatchObject({ code: "server_unreachable" });
  server.become(legacy);
  expect(await server.eraOf(memo)).toMatchObject({ asked: ["initialize", expect.anything()] });
});

test("an era that the configuration names is not remembered", async () => {
  const memo = memoryMemo();
  const { url } = await httpServer(legacy);
  const { connections } = open({ http: { url, protocol: "legacy" } }, { memo });
  await connections.ready(never);
  expect(memo.values.size).toBe(0);
});

function refuseMethod(id: unknown, response: Parameters<Answer>[1], status: number): void {
  sendJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "Unknown" } }, {}, status);
}
