import { afterEach, expect, test } from "vitest";
import { type HostileHttpServer, startHostileHttpServer } from "./http-server.ts";

let server: HostileHttpServer | null = null;
afterEach(() => server?.close());

function post(method: string, params: object = {}, headers: Record<string, string> = {}) {
  return fetch(server?.url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

test("steps of a method are taken in turn, with statuses and sessions", async () => {
  server = await startHostileHttpServer({
    type: "server",
    steps: [
      { rpc: "initialize", session: "S1", result: "init" },
      { rpc: "tools/list", result: { tools: [] } },
      { rpc: "tools/call", status: 404, body: { lost: true } },
      { rpc: "initialize", requireNoSessionHeader: true, session: "S2", result: "init" },
      { rpc: "tools/call", session: "S2", result: { content: [] } },
    ],
  });
  expect((await post("initialize")).headers.get("mcp-session-id")).toBe("S1");
  const lost = await post("tools/call", {}, { "mcp-session-id": "S1" });
  expect([lost.status, await lost.json()]).toEqual([404, { lost: true }]);
  expect((await post("initialize")).headers.get("mcp-session-id")).toBe("S2");
  expect((await post("tools/call", {}, { "mcp-session-id": "S1" })).status).toBe(404);
  expect(await (await post("tools/call", {}, { "mcp-session-id": "S2" })).json()).toMatchObject({
    result: { content: [] },
  });
  await post("tools/list");
  expect(await (await post("tools/list")).json()).toMatchObject({ result: { tools: [] } });
  expect(server.seen.filter(({ method }) => method === "initialize").length).toBe(2);
});

test("a second initialize that still names a session is refused when the step says so", async () => {
  server = await startHostileHttpServer({
    type: "server",
    steps: [{ rpc: "initialize", requireNoSessionHeader: true, result: "init" }],
  });
  expect((await post("initialize", {}, { "mcp-session-id": "old" })).status).toBe(400);
});

test("what comes before the answer makes it an event stream", async () => {
  server = await startHostileHttpServer({
    type: "server",
    script: { "tools/call": { notify: { method: "notifications/message", count: 2 } } },
  });
  const response = await post("tools/call", { name: "t" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = (await response.text()).match(/^data: .*$/gm) ?? [];
  expect(events.length).toBe(3);
  expect(events[2]).toContain('"text":"ok"');
});

test("an exit cuts the connection", async () => {
  server = await startHostileHttpServer({ type: "server", script: { "tools/call": { exit: true } } });
  await expect(post("tools/call")).rejects.toThrow();
});
