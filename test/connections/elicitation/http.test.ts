import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { httpServer, sendJson } from "../../fixtures/connections/http-server.ts";
import { runCalls } from "./ask-host.ts";
import { extensionsOf, inputRequired, textResult } from "./asking-server.ts";

const form = {
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
};
const accept = () => ({ action: "accept", content: { name: "Ada" } }) as const;
const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

test("over HTTP a modern server gets its answers with the next request of the call, and its state back", async () => {
  const calls: Record<string, unknown>[] = [];
  const { url } = await httpServer(({ id, method, params }, response) => {
    const reply = (result: object) => sendJson(response, { jsonrpc: "2.0", id, result });
    if (method === "server/discover") {
      const capabilities = { tools: {}, logging: {} };
      reply({ supportedVersions: ["2026-07-28"], capabilities, ...cacheable });
    } else if (method === "tools/list") {
      reply({ tools: [{ name: "t", inputSchema: { type: "object" } }], ...cacheable });
    } else if (method === "tools/call") {
      calls.push(params);
      if (params.inputResponses === undefined) {
        reply(inputRequired({ who: { method: "elicitation/create", params: form } }));
      } else reply({ ...textResult(JSON.stringify(params.inputResponses)), ...cacheable });
    } else response.writeHead(405).end();
  });
  const { told } = await runCalls({ config: { url } as never }, ["t"], { elicit: accept });
  expect(JSON.parse(told)).toEqual({ who: { action: "accept", content: { name: "Ada" } } });
  expect(calls[1]).toMatchObject({ name: "t", arguments: {}, requestState: "state" });
  const meta = calls[0]?._meta as Readonly<Record<string, unknown>>;
  expect(meta["io.modelcontextprotocol/clientCapabilities"]).toEqual({
    elicitation: { form: {}, url: {} },
    ...extensionsOf("modern"),
  });
  expect(meta["io.modelcontextprotocol/logLevel"]).toBe("info");
});

const everything = resolve(
  import.meta.dirname,
  "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

async function everythingAt(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, "streamableHttp"], {
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

test("the reference server asks over Streamable HTTP on the stream of its call", async () => {
  const { url, close } = await httpServer(() => {});
  await close();
  await everythingAt(Number(new URL(url).port));
  const asked: ElicitationRequest[] = [];
  const { told } = await runCalls({ config: { url } as never }, ["trigger-elicitation-request"], {
    elicit(request) {
      asked.push(request);
      return accept();
    },
  });
  expect(asked[0]?.calls).toEqual([{ callId: expect.any(String), tool: "trigger-elicitation-request" }]);
  expect(told).toContain("- Name: Ada");
});
