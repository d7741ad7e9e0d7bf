import { expect, test } from "vitest";
import { type Answer, httpServer, sendJson } from "../../fixtures/connections/http-server.ts";
import { runCalls } from "../elicitation/ask-host.ts";
import { textResult } from "../elicitation/asking-server.ts";
import { task } from "./task-server.ts";

const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

/** A server that makes a task of each call, and answers a question about one as told. */
const taskServer = (get: Answer) =>
  httpServer((received, response) => {
    const { id, method } = received;
    const reply = (result: object) => sendJson(response, { jsonrpc: "2.0", id, result });
    if (method === "server/discover")
      reply({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...cacheable });
    else if (method === "tools/list")
      reply({ tools: [{ name: "t", inputSchema: { type: "object" } }], ...cacheable });
    else if (method === "tools/call") reply({ ...task("working"), resultType: "task" });
    else if (method === "tasks/get") return get(received, response);
    else response.writeHead(405).end();
  });

test("over HTTP a task is asked about by name, also after a request that broke off", async () => {
  const names: unknown[] = [];
  const { url, seen } = await taskServer(({ id, headers }, response) => {
    names.push(headers["mcp-name"]);
    const result = task("completed", { result: textResult("made") });
    if (names.length === 1) response.destroy();
    else sendJson(response, { jsonrpc: "2.0", id, result });
  });
  const { told } = await runCalls({ config: { url } as never }, ["t"]);
  expect(told).toBe("made");
  expect(names).toEqual(["task-1", "task-1"]);
  expect(seen.filter((method) => method === "tools/call")).toHaveLength(1);
});

test("a server that knows no tasks after all is asked once, though it says so with a status", async () => {
  const { url, seen } = await taskServer(({ id }, response) => {
    sendJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "No such method" } }, {}, 404);
  });
  const { told } = await runCalls({ config: { url } as never }, ["t"]);
  expect(told).toContain("does not tell how it ended (error -32601: No such method). It may have run.");
  expect(seen.filter((method) => method === "tasks/get")).toHaveLength(1);
});
