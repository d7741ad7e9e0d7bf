// An MCP server on the official SDK with the tools that the benchmarks call.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const text = (value) => ({ content: [{ type: "text", text: value }] });

serveStdio(() => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  server.registerTool(
    "echo",
    { description: "Says it back", inputSchema: z.object({ text: z.string() }), annotations },
    async ({ text: said }) => text(said),
  );
  server.registerTool(
    "sleep",
    { description: "Waits", inputSchema: z.object({ ms: z.number() }), annotations },
    async ({ ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return text("awake");
    },
  );
  server.registerTool(
    "big",
    { description: "Answers with much text", inputSchema: z.object({ bytes: z.number() }), annotations },
    async ({ bytes }) => text(`${"0123456789".repeat(100)}\n`.repeat(bytes / 1_001)),
  );
  return server;
});
