import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createSecrets } from "../../../src/audit/secrets.ts";
import { createRemembered } from "../../../src/connections/remembered.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { memoryLists, never, open } from "../../fixtures/connections/connect.ts";
import {
  type HttpFixture,
  httpServer,
  legacyAnswer,
  sendJson,
} from "../../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };
const url = "http://modern.test/mcp";

/** A modern server, and the methods it was sent, without the subscription that comes beside them. */
function modernFetch(): { readonly fetch: typeof fetch; readonly methods: string[] } {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "modern", version: "1" }, { capabilities: { tools: {} } });
    server.registerTool("t", {}, () => done as never);
    return server;
  });
  const methods: string[] = [];
  return {
    methods,
    async fetch(input, init) {
      const request = new Request(input, init);
      const method = request.headers.get("mcp-method") ?? request.method;
      if (method !== "subscriptions/listen") methods.push(method);
      return handler.fetch(request);
    },
  };
}

test("a modern server that is remembered is not asked again what it is", async () => {
  const knownLists = memoryLists();
  const { fetch, methods } = modernFetch();
  const first = open({ http: { url } }, { fetch, knownLists });
  await first.connections.started(never);
  expect(methods).toEqual(["server/discover", "tools/list"]);
  const second = open({ http: { url } }, { fetch, knownLists });
  await second.connections.started(never);
  expect(methods.slice(2)).toEqual(["tools/list"]);
  expect(second.connections.status()).toMatchObject([{ state: "ready", era: "modern", tools: 1 }]);
  expect((await second.call("t")).content).toEqual(done.content);
});

test("a remembered modern server that has gone back to the older era is asked anew", async () => {
  const knownLists = memoryLists();
  const { fetch } = modernFetch();
  await open({ http: { url } }, { fetch, knownLists }).connections.started(never);
  const old: HttpFixture = await httpServer(
    legacyAnswer(({ id }, response) => sendJson(response, { jsonrpc: "2.0", id, result: done })),
  );
  const elsewhere: typeof globalThis.fetch = (_, init) => globalThis.fetch(old.url, init);
  const { connections, call } = open({ http: { url } }, { fetch: elsewhere, knownLists });
  await connections.started(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
  expect(old.seen).toContain("initialize");
  expect((await call("t")).content).toEqual(done.content);
});

test.each([
  ["private", undefined, 1],
  ["private", "Bearer of a login", 0],
  ["public", "Bearer of a login", 1],
])("a %s list that came with the authorization %j is kept %i times", async (scope, authorization, kept) => {
  const knownLists = memoryLists();
  const setting = { id: "s", config: { url }, trusted: false };
  const remembered = createRemembered(setting, {
    ...{ lists: knownLists, clock: systemClock, version: "1", principal: "ada" },
    fetch: async () => new Response(),
    secrets: createSecrets(),
    configHash: async () => "hash",
    hashKey: async () => new Uint8Array(32),
  });
  await remembered.fetch(url, { headers: authorization === undefined ? {} : { authorization } });
  const read = { tools: [], quarantined: [], ttlMs: 0, isPublic: scope === "public", isModern: true };
  // The part of a connection that counts here.
  remembered.keep(read, { era: "legacy" } as never);
  await new Promise((resolve) => setImmediate(resolve));
  expect(knownLists.values.size).toBe(kept);
});
