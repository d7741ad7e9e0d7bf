import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { HostOptions, ServerConfig } from "../../src/types/config.ts";
import type { ConversationOptions, Host, RunInput, RunOptions } from "../../src/types/host.ts";
import { type Answer, offerServer } from "../fixtures/connections/offer-server.ts";
import { decisions, openFlowHost, stepsOf } from "./flow-host.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "flows-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

/** How the calls of one run were decided. */
async function decided(
  host: Host,
  names: readonly string[],
  options: RunOptions & ConversationOptions = {},
  input: RunInput = "go",
): Promise<string[]> {
  const events = [];
  for await (const event of host.run(input, { model: scriptedModel(stepsOf(names)), ...options })) {
    events.push(event);
  }
  return decisions(events);
}

const asked = ["chat/send deny flow"];
const ran = ["chat/send allow rule"];

/** A stored conversation that has read the notes, from another process. */
async function begun(names: readonly string[] = ["notes__read"]): Promise<string> {
  await using before = openFlowHost({ options: { state } });
  const conversation = before.host.conversation();
  await conversation.run("go", { model: scriptedModel(stepsOf(names)) }).result;
  return conversation.id;
}

const journal = (id: string) => join(state, "runs", `${id}.jsonl`);

test("a stored conversation that goes on knows what it has read, and from where", async () => {
  const id = await begun();
  await using after = openFlowHost({ options: { state } });
  // Back to where it came from is no flow: its sources are known one by one.
  expect(await decided(after.host, ["notes__write"], { id })).toEqual(["notes/write allow rule"]);
  expect(await decided(after.host, ["chat__send"], { id })).toEqual(asked);
});

test("a stored conversation that has read nothing asks nothing", async () => {
  const id = await begun(["chat__send"]);
  await using after = openFlowHost({ options: { state } });
  expect(await decided(after.host, ["chat__send"], { id })).toEqual(ran);
});

test.each<[string, (text: string) => string]>([
  ["without labels", (text) => text.replace(/,"labels":\{[^}]*\}/g, "")],
  ["of an earlier version", (text) => text.replaceAll(',"labelled":true', "")],
  ["with labels that are none", (text) => text.replace(/"private":(true|false)/, '"private":"no"')],
  ["with a damaged line", (text) => `${text}{"kind":\n`],
  ["without the intent of a call", (text) => text.replace(/^.*"call_intended".*\n/m, "")],
  [
    "with a task whose end is not known",
    (text) => `${text}{"kind":"call_task","run":"run_0","call":"c","server":"s","tool":"t","task":"1"}\n`,
  ],
])("a stored conversation %s counts as having read both", async (_, damage) => {
  const id = await begun(["chat__send"]);
  const text = readFileSync(journal(id), "utf8");
  expect(damage(text)).not.toBe(text);
  writeFileSync(journal(id), damage(text));
  await using after = openFlowHost({ options: { state } });
  expect(await decided(after.host, ["chat__send"], { id })).toEqual(asked);
});

test("a transcript of the same host keeps its labels, and one of somebody else counts as having read both", async () => {
  await using flow = openFlowHost({ options: { state } });
  const { messages } = await flow.host.run("go", { model: scriptedModel(stepsOf(["chat__send"])) }).result;
  expect(await decided(flow.host, ["chat__send"], { transcript: messages })).toEqual(ran);
  const written = JSON.parse(JSON.stringify(messages));
  expect(await decided(flow.host, ["chat__send"], { transcript: written })).toEqual(asked);
  expect(await decided(flow.host, ["chat__send"], { transcript: messages.slice(0, 1) })).toEqual(ran);
  const read = await flow.host.run("go", { model: scriptedModel(stepsOf(["notes__read"])) }).result;
  const { host } = flow;
  expect(await decided(host, ["notes__write"], { transcript: read.messages })).toEqual([
    "notes/write allow rule",
  ]);
  expect(await decided(host, ["chat__send"], { transcript: read.messages })).toEqual(asked);
});

test("a conversation that began with a transcript of somebody else keeps that through a restart", async () => {
  const call = { type: "tool_call", id: "c", name: "x", input: "{}" } as const;
  const result = { type: "tool_result", callId: "c", content: [], isError: false } as const;
  const transcript = [
    { role: "assistant", content: [call] },
    { role: "user", content: [result] },
  ] as const;
  await using before = openFlowHost({ options: { state } });
  const conversation = before.host.conversation({ transcript });
  await conversation.run("go", { model: scriptedModel([{ text: "done" }]) }).result;
  await before.host.close();
  await using after = openFlowHost({ options: { state } });
  expect(await decided(after.host, ["chat__send"], { id: conversation.id })).toEqual(asked);
});

const answers: Record<string, Answer> = {
  "resources/list": () => ({ resources: [{ uri: "a:1", name: "one" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "a secret plan" }] }),
  "prompts/list": () => ({ prompts: [{ name: "p" }] }),
  "prompts/get": () => ({ messages: [{ role: "user", content: { type: "text", text: "do it" } }] }),
};

function offering(options: Partial<HostOptions> = {}) {
  const { transport } = offerServer(answers, { resources: {}, prompts: {} });
  const chat = fakeServer([textTool("send", () => "sent")]);
  const servers: Record<string, ServerConfig> = {
    files: { transport },
    chat: { ...chat.config, private: false },
  };
  return openFlowHost({ options: { servers, ...options } });
}

test("a resource and a prompt that a person puts into a conversation are labelled like results, also after a restart", async () => {
  await using flow = offering({ state });
  await flow.host.tools();
  const { blocks } = await flow.host.readResource("files", "a:1");
  const { input } = await flow.host.getPrompt("files", "p");
  const typed = { type: "text", text: "what is this?" } as const;
  expect(await decided(flow.host, ["chat__send"], {}, [typed])).toEqual(ran);
  expect(await decided(flow.host, ["chat__send"], {}, input)).toEqual(asked);
  const conversation = flow.host.conversation();
  await conversation.run([typed, ...blocks], { model: scriptedModel([{ text: "done" }]) }).result;
  expect(readFileSync(journal(conversation.id), "utf8")).toContain('"kind":"content_read","run":');
  await flow.host.close();
  await using after = openFlowHost({ options: { state } });
  expect(await decided(after.host, ["chat__send"], { id: conversation.id })).toEqual(asked);
});

test("a program says what it puts in beside the person's words", async () => {
  await using flow = openFlowHost();
  const both = { untrusted: true, private: true };
  expect(await decided(flow.host, ["chat__send"], { reads: both })).toEqual(asked);
  expect(await decided(flow.host, ["chat__send"], { reads: { untrusted: true, private: false } })).toEqual(
    ran,
  );
});

test("a damaged record of what was read counts as both", async () => {
  const id = await begun(["chat__send"]);
  appendFileSync(journal(id), '{"kind":"content_read","run":"r","from":{"server":1},"labels":{}}\n');
  await using after = openFlowHost({ options: { state } });
  expect(await decided(after.host, ["chat__send"], { id })).toEqual(asked);
});

test("an error result, and a failure in the server's words, are read like any other", async () => {
  const notes = fakeServer([
    textTool("read", () => {
      throw new Error("your diary says: hello");
    }),
  ]);
  const chat = fakeServer([textTool("send", () => "sent")]);
  await using flow = openFlowHost({
    options: { servers: { notes: notes.config, chat: { ...chat.config, private: false } } },
  });
  expect(await decided(flow.host, ["notes__read", "chat__send"])).toEqual([
    "notes/read allow rule",
    ...asked,
  ]);
});

test("a call that did not reach its server brings nothing in", async () => {
  await using flow = openFlowHost({ policy: { rules: ["allow */*", "deny notes/read"] } });
  expect(await decided(flow.host, ["notes__read", "notes__gone", "chat__send"])).toEqual([
    "notes/read deny rule",
    ...ran,
  ]);
});
