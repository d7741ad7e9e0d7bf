import { expect, test } from "vitest";
import { httpServer, sendJson } from "../../fixtures/connections/http-server.ts";
import { runCalls } from "../elicitation/ask-host.ts";
import { textResult } from "../elicitation/asking-server.ts";
import { task } from "./task-server.ts";

const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

test("over HTTP a task is asked about by name, also after a request that broke off", async () => {
  const names: unknown[] = [];
  const { url, seen } = await httpServer(({ id, method, headers }, response) => {
    const reply = (result: object) => sendJson(response, { jsonrpc: "2.0", id, result });
    if (method === "server/discover")
      reply({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...cacheable });
    else if (method === "tools/list")
      reply({ tools: [{ name: "t", inputSchema: { type: "object" } }], ...cacheable });
    else if (method === "tools/call") reply({ ...task("working"), resultType: "task" });
    else if (method === "tasks/get") {
      names.push(headers["mcp-name"]);
      if (names.length === 1) response.destroy();
      else reply(task("completed", { result: textResult("made") }));
    } else response.writeHead(405).end();
  });
  const { told } = await runCalls({ config: { url } as never }, ["t"]);
  expect(told).toBe("made");
  expect(names).toEqual(["task-1", "task-1"]);
  expect(seen.filter((method) => method === "tools/call")).toHaveLength(1);
});
