import { expect, test } from "vitest";
import { aliasOf } from "../../../src/catalog/names.ts";
import { fakeServer, textTool } from "../../../src/testing/index.ts";
import { type Answer, offerServer } from "../../fixtures/connections/offer-server.ts";
import { runScript, textOf } from "../../support/run-host.ts";

const answers: Record<string, Answer> = {
  "resources/list": () => ({
    resources: [{ uri: "a:1", name: "one", mimeType: "text/plain", size: 5 }, { name: "nowhere" }],
  }),
  "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "a:{n}", name: "any" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "hello" }] }),
};

function resourceServer(capabilities: object = { resources: {} }) {
  const server = offerServer(answers, capabilities);
  return { ...server, config: { transport: server.transport } };
}

const list = aliasOf("s", "resources/list");
const read = aliasOf("s", "resources/read");

test("the model lists and reads resources of a server, each a call of that server's in the log", async () => {
  const s = resourceServer();
  const ran = await runScript(
    [
      { calls: [{ name: list, input: {} }] },
      { calls: [{ name: read, input: { uri: "a:1" } }] },
      { text: "done" },
    ],
    { servers: { s }, resourceTools: true },
  );
  expect(textOf(ran.results(0)[0])).toBe(
    ["a:1: one, text/plain, 5 bytes", "template a:{n}: any", "Left out: nowhere: It has no URI."].join("\n"),
  );
  expect(textOf(ran.results(1)[0])).toBe("Resource a:1:\nhello");
  const intents = ran.audit.filter((entry) => entry.kind === "call_intended");
  expect(intents).toMatchObject([
    { server: "s", tool: "resources/list", method: "resources/list" },
    { server: "s", tool: "resources/read", method: "resources/read", by: { type: "rule" } },
  ]);
});

test("a read of the model is asked for like any call of a server that nobody trusts", async () => {
  const s = resourceServer();
  const ran = await runScript([{ calls: [{ name: read, input: { uri: "a:1" } }] }, { text: "done" }], {
    servers: { s },
    resourceTools: true,
    policy: { rules: ['allow s/"resources/read" uri=b:*'] },
  });
  expect(ran.results(0)[0]?.isError).toBe(true);
  expect(ran.result.unasked).toBe(1);
  expect(s.asked).toEqual([]);
});

test("without the option, and for a server without resources, the model gets no such tool", async () => {
  const without = await runScript([{ text: "done" }], { servers: { s: resourceServer() } });
  const bare = await runScript([{ text: "done" }], {
    servers: { s: resourceServer({}) },
    resourceTools: true,
  });
  for (const { model } of [without, bare]) {
    expect(model.requests[0]?.tools.map(({ alias }) => alias)).toEqual(["drawbridge__read_output"]);
  }
});

test("a server's own tool of that name stays its own", async () => {
  const s = fakeServer([textTool("resources/read", () => "mine")]);
  const ran = await runScript([{ calls: [{ name: read, input: { uri: "a:1" } }] }, { text: "done" }], {
    servers: { s },
    resourceTools: true,
  });
  expect(textOf(ran.results(0)[0])).toBe("mine");
  expect(ran.audit.find((entry) => entry.kind === "call_intended")).not.toHaveProperty("method");
});
