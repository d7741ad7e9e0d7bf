import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../testing/index.ts";
import type { HostOptions } from "../types/config.ts";
import type { RunEvent } from "../types/events.ts";
import type { Host } from "../types/host.ts";
import type { Message } from "../types/message.ts";
import { listConversations, purgeConversations } from "./stored-conversations.ts";

let state = "";
const hosts: Host[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "continued-"));
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  rmSync(state, { recursive: true, force: true });
});

function hostOf(steps: readonly ScriptedStep[], options: Partial<HostOptions> = {}) {
  const model = scriptedModel(steps);
  const host = createHost({ servers: {}, model, state, audit: false, principal: "me", ...options });
  hosts.push(host);
  return { host, model };
}

const says = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const path = (id: string) => join(state, "runs", `${id}.jsonl`);

/** A journal as a process left it that was killed. */
function leave(id: string, records: readonly object[], version = 1): void {
  mkdirSync(join(state, "runs"), { recursive: true });
  const opened = { kind: "journal_opened", v: version, id, at: "", principal: "me" };
  writeFileSync(path(id), [opened, ...records].map((record) => `${JSON.stringify(record)}\n`).join(""));
}

const appended = (message: Message) => ({ kind: "message_appended", run: "run_0", message });
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_call", id, name: "s__t", input: "{}" })),
});
const intended = (call: string) => ({ kind: "call_intended", run: "run_0", call });
const settled = (call: string, text: string) => ({
  kind: "call_settled",
  run: "run_0",
  call,
  outcome: { type: "answered", reply: { content: [{ type: "text", text }], isError: false, repairs: [] } },
});

test("a stored conversation goes on in another host: the model sees what was said, the journal stays one file", async () => {
  const first = hostOf([{ text: "one" }, { text: "two" }]);
  const begun = first.host.conversation();
  await begun.run("first").result;
  await begun.run("second").result;
  const { host, model } = hostOf([{ text: "three" }]);
  const result = await host.run("third", { id: begun.id }).result;
  expect(result.stop).toEqual({ type: "answered" });
  expect(model.requests[0]?.messages).toEqual([...begun.messages, says("third")]);
  expect(readdirSync(join(state, "runs"))).toEqual([`${begun.id}.jsonl`]);
  const again = hostOf([]).host.conversation({ id: begun.id });
  expect(await again.load()).toEqual(result.messages);
  expect(await listConversations({ state, principal: "me" })).toMatchObject([
    { id: begun.id, question: "first", model: "scripted/scripted", turns: 3, cwd: process.cwd() },
  ]);
});

test("after a kill each open call gets what is known of it: its answer, that it may have run, or that it never did", async () => {
  leave("c", [
    appended(says("go")),
    appended(calls("done", "sent", "waiting")),
    intended("done"),
    intended("sent"),
    settled("done", "the answer"),
    { kind: "of a later version" },
  ]);
  appendFileSync(path("c"), '{"kind":"call_settled","call":"sent","run":"run_0","outc');
  const { host, model } = hostOf([{ text: "I see" }, { text: "Still" }]);
  const conversation = host.conversation({ id: "c" });
  expect((await conversation.run("and?").result).stop.type).toBe("answered");
  expect(model.requests[0]?.messages[2]?.content).toEqual([
    { type: "tool_result", callId: "done", isError: false, content: [{ type: "text", text: "the answer" }] },
    {
      type: "tool_result",
      callId: "sent",
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("outcome is unknown") }],
    },
    {
      type: "tool_result",
      callId: "waiting",
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("Not run") }],
    },
  ]);
  await conversation.run("go on").result;
  const read = await hostOf([]).host.conversation({ id: "c" }).load();
  expect(read).toEqual(conversation.messages);
});

test("whether a recorded answer is an error is true or false, whatever stands in the journal", async () => {
  const ids = ["absent", "no", "odd", "null"];
  const flags = [undefined, false, "yes", null];
  const outcomes = ids.map((call, index) => {
    const reply = { content: [{ type: "text", text: call }], isError: flags[index], repairs: [] };
    return { kind: "call_settled", run: "run_0", call, outcome: { type: "answered", reply } };
  });
  leave("c", [appended(says("go")), appended(calls(...ids)), ...ids.map(intended), ...outcomes]);
  const { host, model } = hostOf([{ text: "I see" }]);
  await host.run("and?", { id: "c" }).result;
  const results = model.requests[0]?.messages[2]?.content.map((block) => "isError" in block && block.isError);
  expect(results).toEqual([false, false, true, true]);
});

test("a call id that was used before the host was ended is not used again", async () => {
  leave("c", [appended(says("go")), appended(calls("call_1")), appended(says("stop"))]);
  const server = fakeServer([textTool("t", () => "hi")]);
  const { host } = hostOf([{ calls: [{ id: "call_1", name: "s__t" }] }, { text: "done" }], {
    servers: { s: server.config },
    policy: { rules: ["allow */*"] },
  });
  const { messages } = await host.run("again", { id: "c" }).result;
  const ids = messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
  );
  expect(ids).toEqual(["call_1", "call_1_2"]);
});

test("a damaged record costs itself, and the run says so", async () => {
  leave("c", [appended(says("go"))]);
  appendFileSync(path("c"), "\u0000\u0000\n");
  appendFileSync(
    path("c"),
    `${JSON.stringify(appended({ role: "assistant", content: [{ type: "text", text: "yes" }] }))}\n`,
  );
  const events: RunEvent[] = [];
  for await (const event of hostOf([{ text: "ok" }]).host.run("more", { id: "c" })) events.push(event);
  expect(events).toContainEqual({
    type: "warning",
    code: "conversation",
    text: expect.stringContaining("damaged"),
  });
  expect(events.at(-1)).toMatchObject({ result: { stop: { type: "answered" }, messages: { length: 4 } } });
});

test("what is not there, somebody else's, or no id is unknown; a later version's is refused", async () => {
  leave("mine", [appended(says("secret"))]);
  leave("later", [], 2);
  for (const id of ["none", "../mine", "", "__proto__", "x".repeat(1_000)]) {
    const { stop, messages } = await hostOf([]).host.run("x", { id }).result;
    expect(stop).toMatchObject({ type: "failed", error: { code: "conversation_unknown" } });
    expect(messages).toEqual([]);
  }
  const other = hostOf([], { principal: "other" }).host.conversation({ id: "mine" });
  await expect(other.load()).rejects.toMatchObject({ code: "conversation_unknown" });
  await expect(hostOf([]).host.conversation({ id: "later" }).load()).rejects.toThrow("a later version");
  const keepsNothing = createHost({ servers: {}, model: scriptedModel([]), state: false, audit: false });
  await expect(keepsNothing.conversation({ id: "mine" }).load()).rejects.toMatchObject({
    code: "conversation_unknown",
  });
  expect(() => keepsNothing.conversation({ id: "mine", transcript: [] })).toThrow("give one of them");
});

test("a conversation that is being written is neither continued nor purged, and afterwards it is", async () => {
  let writing = () => {};
  const wrote = new Promise<void>((resolve) => {
    writing = resolve;
  });
  let end = (_: { text: string }) => {};
  const answer = new Promise<{ text: string }>((resolve) => {
    end = resolve;
  });
  const { host } = hostOf([
    () => {
      writing();
      return answer;
    },
  ]);
  const conversation = host.conversation();
  const { id } = conversation;
  const { result } = conversation.run("first");
  await wrote;
  const failed = await hostOf([]).host.run("x", { id }).result;
  expect(failed.stop).toMatchObject({ type: "failed", error: { code: "conversation_in_use" } });
  const whose = { state, principal: "me" };
  expect(await purgeConversations({ ...whose, all: true })).toEqual({
    removed: [],
    inUse: [id],
    missing: [],
  });
  end({ text: "one" });
  expect((await result).stop.type).toBe("answered");
  const other = { state, principal: "other" };
  expect(await purgeConversations({ ...other, all: true })).toEqual({ removed: [], inUse: [], missing: [] });
  expect(await purgeConversations({ ...whose, olderThanDays: 1 })).toMatchObject({ removed: [] });
  expect(await purgeConversations({ ...whose, all: true, dryRun: true })).toMatchObject({ removed: [id] });
  expect(await purgeConversations({ ...whose, ids: [id, "none"] })).toMatchObject({
    removed: [id],
    missing: ["none"],
  });
  expect(readdirSync(join(state, "runs"))).toEqual([]);
});

test("of two that read the same conversation, the second that goes on is refused and writes nothing", async () => {
  leave("c", [appended(says("go"))]);
  const [a, b] = [hostOf([{ text: "a" }]), hostOf([{ text: "b" }])].map(({ host }) =>
    host.conversation({ id: "c" }),
  );
  await Promise.all([a?.load(), b?.load()]);
  expect((await a?.run("x").result)?.stop.type).toBe("answered");
  const before = readFileSync(path("c"), "utf8");
  expect((await b?.run("y").result)?.stop).toMatchObject({ error: { code: "conversation_in_use" } });
  expect(readFileSync(path("c"), "utf8")).toBe(before);
});

test("outputs that a conversation's runs kept aside go with it, and a selection must be one", async () => {
  const run = await hostOf([{ text: "x" }]).host.run("go").result;
  mkdirSync(join(state, "spill", run.runId), { recursive: true });
  mkdirSync(join(state, "spill", "run_other"), { recursive: true });
  await purgeConversations({ state, principal: "me", all: true });
  expect(readdirSync(join(state, "spill"))).toEqual(["run_other"]);
  for (const wrong of [{}, { all: false }, { all: true, ids: [] }, { olderThanDays: Number.NaN }]) {
    await expect(purgeConversations(wrong)).rejects.toMatchObject({ code: "input_invalid" });
  }
});
