import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { HostTransport } from "../../src/types/config.ts";
import { never, open } from "../fixtures/connections/connect.ts";

async function server(): Promise<{ transport: HostTransport; server: McpServer }> {
  const [transport, other] = InMemoryTransport.createLinkedPair();
  const made = new McpServer({ name: "inside", version: "1.0.0" });
  made.registerTool("hello", { description: "Greets." }, () => ({
    content: [{ type: "text", text: "hello" }],
  }));
  await made.connect(other);
  return { transport: transport as HostTransport, server: made };
}

test("a server inside the program is connected over its own transport", async () => {
  const { transport } = await server();
  const { connections, call } = open({ inside: { transport } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", tools: 1 }]);
  expect((await call("hello")).content).toEqual([{ type: "text", text: "hello" }]);
});

test("its changes are noticed and its end is final", async () => {
  const inside = await server();
  const { connections, call } = open({ inside: { transport: inside.transport } });
  await connections.ready(never);
  inside.server.registerTool("more", {}, () => ({ content: [] }));
  await new Promise((resolve) => setImmediate(resolve));
  expect((await connections.lists(never))[0]?.tools.map((tool) => tool.name)).toEqual(["hello", "more"]);
  await inside.server.close();
  await expect(call("hello")).rejects.toMatchObject({ code: "call_not_sent" });
  expect(connections.current()).toEqual([]);
});

test("a transport of the program that cannot send is told by its error, and closed", async () => {
  let closes = 0;
  const transport: HostTransport = {
    start: async () => {},
    send: async () => {
      throw new Error("the line is cut");
    },
    close: async () => {
      closes += 1;
    },
  };
  const { connections } = open({ inside: { transport } });
  await expect(connections.ready(never)).rejects.toMatchObject({
    code: "server_start_failed",
    message: expect.stringContaining("the line is cut"),
  });
  expect(closes).toBeGreaterThan(0);
});
