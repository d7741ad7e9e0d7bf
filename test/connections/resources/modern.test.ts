import { expect, test } from "vitest";
import { never, open } from "../../fixtures/connections/connect.ts";
import { type Answer, httpServer, sendJson } from "../../fixtures/connections/http-server.ts";

const envelope = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const discover = {
  ...envelope,
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, resources: {}, prompts: {} },
};
const question = { signal: never };

/** A server of the newest revision over HTTP: its answers to reads, and the headers that they came with. */
async function modern(read: (params: Record<string, unknown>) => unknown) {
  const headers: Record<string, unknown>[] = [];
  const answer: Answer = (received, response) => {
    const { id, method, params } = received;
    if (method === "server/discover") return sendJson(response, { jsonrpc: "2.0", id, result: discover });
    if (method === "tools/list")
      return sendJson(response, { jsonrpc: "2.0", id, result: { ...envelope, tools: [] } });
    headers.push(received.headers);
    return sendJson(response, { jsonrpc: "2.0", id, result: read(params) });
  };
  const { url } = await httpServer(answer);
  const { connections } = open({ s: { url } });
  await connections.ready(never);
  const offers = connections.offers("s");
  if (offers === null) throw new Error("no such server");
  return { offers, headers };
}

test("a server of the newest revision gets the headers of a read, and its state back until it answers", async () => {
  const states: unknown[] = [];
  const { offers, headers } = await modern((params) => {
    states.push(params.requestState);
    if (params.requestState === undefined) return { resultType: "input_required", requestState: "one" };
    return { contents: [{ uri: params.uri, text: "hello" }] };
  });
  const { parts } = await offers.read("a:1", question);
  expect(parts).toEqual([{ uri: "a:1", text: "hello" }]);
  expect(states).toEqual([undefined, "one"]);
  expect(headers[0]).toMatchObject({ "mcp-method": "resources/read", "mcp-name": "a:1" });
});

test("a server that asks for input in a read is told no, and the read says why", async () => {
  const { offers } = await modern(() => ({
    resultType: "input_required",
    inputRequests: { a: { method: "elicitation/create", params: {} } },
  }));
  await expect(offers.prompt("p", {}, question)).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining("elicitation/create"),
  });
});

test("a list with a bad entry and without the members of its revision is read all the same", async () => {
  const { offers } = await modern(() => ({ resources: [{ uri: "a:1", name: 7 }, "bad"], nextCursor: null }));
  expect((await offers.resources(never)).entries).toEqual([{ uri: "a:1", name: "a:1" }]);
});

test("a list is not asked for again until the time has passed that its server named", async () => {
  const { offers, headers } = await modern(() => ({ ttlMs: 60_000, resources: [] }));
  await offers.resources(never);
  await offers.resources(never);
  expect(headers).toHaveLength(1);
});
