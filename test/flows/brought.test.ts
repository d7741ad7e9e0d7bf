import { expect, test } from "vitest";
import { aliasOf } from "../../src/catalog/names.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import type { ConversationOptions, Host, RunInput } from "../../src/types/host.ts";
import { type Answer, offerServer } from "../fixtures/connections/offer-server.ts";
import { decisions, openFlowHost, stepsOf } from "./flow-host.ts";

async function decided(
  host: Host,
  names: readonly string[],
  input: RunInput = "go",
  options: ConversationOptions = {},
): Promise<string[]> {
  const events = [];
  for await (const event of host.run(input, { model: scriptedModel(stepsOf(names)), ...options })) {
    events.push(event);
  }
  return decisions(events);
}

test("what a program's own call gave back is labelled when it goes into a conversation", async () => {
  await using flow = openFlowHost();
  const { content } = await flow.host.call("notes", "read");
  expect(await decided(flow.host, ["chat__send"], content)).toEqual(["chat/send deny flow"]);
  const sent = await flow.host.call("chat", "send");
  expect(await decided(flow.host, ["chat__send"], sent.content)).toEqual(["chat/send allow rule"]);
});

test("an answer of a model that this host did not give counts as having read both, without results too", async () => {
  await using flow = openFlowHost();
  const { host } = flow;
  const words = { role: "user", content: [{ type: "text", text: "What does my diary say?" }] } as const;
  const answer = { role: "assistant", content: [{ type: "text", text: "It says: hello." }] } as const;
  expect(await decided(host, ["chat__send"], "go", { transcript: [words] })).toEqual([
    "chat/send allow rule",
  ]);
  expect(await decided(host, ["chat__send"], "go", { transcript: [words, answer] })).toEqual([
    "chat/send deny flow",
  ]);
});

test("a resource that goes back to the only server that was read does not leave", async () => {
  const answers: Record<string, Answer> = {
    "resources/list": () => ({ resources: [{ uri: "a:1", name: "one" }] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: "a plan" }] }),
  };
  const servers = { files: { transport: offerServer(answers, { resources: {} }).transport } };
  await using flow = openFlowHost({ options: { servers, resourceTools: true } });
  const read = { calls: [{ name: aliasOf("files", "resources/read"), input: { uri: "a:1" } }] };
  const model = scriptedModel([read, read, { text: "done" }]);
  const events = [];
  for await (const event of flow.host.run("go", { model })) events.push(event);
  expect(decisions(events)).toEqual(["files/resources/read allow rule", "files/resources/read allow rule"]);
});
