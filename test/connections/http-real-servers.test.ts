import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { never, open } from "../fixtures/connections/connect.ts";
import { httpServer } from "../fixtures/connections/http-server.ts";

test("a server that only knows HTTP+SSE is connected over that", async () => {
  const port = await freePort();
  await everythingAt(port, "sse");
  const { connections, call } = open({ http: { url: `http://127.0.0.1:${port}/sse` } });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "legacy" }]);
  expect((await call("echo", { arguments: { message: "hi" } })).content).toEqual([
    { type: "text", text: "Echo: hi" },
  ]);
});

test("server-everything is called over Streamable HTTP, and again after it was restarted", async () => {
  const port = await freePort();
  const first = await everythingAt(port, "streamableHttp");
  const { connections, call } = open({ http: { url: `http://127.0.0.1:${port}/mcp` } });
  await connections.ready(never);
  const echo = () => call("echo", { arguments: { message: "hi" } });
  expect((await echo()).content).toEqual([{ type: "text", text: "Echo: hi" }]);
  first.kill();
  await once(first, "exit");
  await expect(echo()).rejects.toMatchObject({ code: "call_not_sent", data: { executed: "no" } });
  await everythingAt(port, "streamableHttp");
  expect((await echo()).content).toEqual([{ type: "text", text: "Echo: hi" }]);
});

const everything = resolve(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

async function everythingAt(port: number, transport: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill());
  await new Promise<void>((ready) => {
    child.stderr.on("data", (chunk) => {
      if (String(chunk).includes("on port")) ready();
    });
  });
  return child;
}

async function freePort(): Promise<number> {
  const { url, close } = await httpServer(() => {});
  await close();
  return Number(new URL(url).port);
}
