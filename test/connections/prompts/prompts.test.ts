import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/host.ts";
import type { AuditEntry } from "../../../src/types/audit.ts";
import { type Answer, offerServer } from "../../fixtures/connections/offer-server.ts";

function hostWith(answers: Record<string, Answer>, rules: readonly string[] = []) {
  const server = offerServer(answers, { prompts: {}, completions: {} });
  const audit: AuditEntry[] = [];
  const host = createHost({
    servers: { s: { transport: server.transport } },
    model: "offline",
    state: false,
    policy: { rules },
    audit: { append: async (entry) => void audit.push(entry) },
  });
  onTestFinished(() => host.close());
  return { host, server, audit };
}

test("prompts are listed with those of their arguments that can be given", async () => {
  const { host } = hostWith({
    "prompts/list": () => ({
      prompts: [
        {
          name: "review",
          description: "Reviews.",
          arguments: [
            { name: "file", required: true },
            { name: "" },
            null,
            { name: "style", required: "yes" },
          ],
        },
        { name: "\u001b[2J" },
        { description: "no name" },
        { name: "plain" },
      ],
    }),
  });
  const [listing] = await host.prompts();
  expect(listing?.entries).toEqual([
    {
      name: "review",
      description: "Reviews.",
      arguments: [
        { name: "file", required: true },
        { name: "style", required: false },
      ],
    },
    { name: "plain", arguments: [] },
  ]);
  expect(listing?.leftOut.map(({ reason }) => reason)).toEqual([
    "Its name holds control characters.",
    "It has no name.",
  ]);
});

test("a filled prompt is the input of a run, marked as the server's words, speaker by speaker", async () => {
  const { host, server, audit } = hostWith({
    "prompts/get": () => ({
      messages: [
        { role: "user", content: { type: "text", text: "Hello" } },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Hi" },
            { type: "resource_link", uri: "a:b", name: "n" },
          ],
        },
        { role: "system", content: "bare" },
        null,
      ],
    }),
  });
  const filled = await host.getPrompt("s", "greet", { who: "me", __proto__: "x" });
  expect(filled.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
  const texts = filled.input.map((block) => (block.type === "text" ? block.text : ""));
  expect(texts.slice(0, 7)).toEqual([
    'Prompt "greet" of the server "s", in its words:',
    "Person:",
    "Hello",
    "Assistant:",
    "Hi",
    "Resource link: n a:b",
    "Person:",
  ]);
  expect(server.asked[0]?.params).toMatchObject({ name: "greet", arguments: { who: "me" } });
  expect(audit[0]).toMatchObject({
    kind: "call_intended",
    method: "prompts/get",
    arguments: { name: "greet", arguments: { who: "me" } },
  });
});

test("a prompt of the person's words alone names no speakers", async () => {
  const { host } = hostWith({
    "prompts/get": () => ({ messages: [{ role: "user", content: { type: "text", text: "Hello" } }] }),
  });
  const { input } = await host.getPrompt("s", "greet");
  expect(input.map((block) => (block.type === "text" ? block.text : ""))).toEqual([
    'Prompt "greet" of the server "s", in its words:',
    "Hello",
  ]);
});

test.each([7, {}, { messages: [] }, { messages: "x" }])(
  "a prompt without messages, %j, says nothing",
  async (result) => {
    const { host } = hostWith({ "prompts/get": () => result });
    expect(await host.getPrompt("s", "greet")).toMatchObject({ messages: [], input: [] });
  },
);

test("a rule that denies prompts holds, and nothing is sent", async () => {
  const { host, server } = hostWith({}, ['deny s/"prompts/get"']);
  await expect(host.getPrompt("s", "greet")).rejects.toMatchObject({ code: "call_denied" });
  expect(server.asked).toEqual([]);
});

test("a server that completes nothing is not asked for a completion", async () => {
  const server = offerServer({}, { prompts: {} });
  const host = createHost({ servers: { s: { transport: server.transport } }, state: false });
  onTestFinished(() => host.close());
  const completion = await host.complete("s", { type: "prompt", name: "p" }, { name: "a", value: "" });
  expect(completion).toEqual({ values: [], hasMore: false });
  expect(server.asked).toEqual([]);
});

test("a required argument that is missing is told at once, once the prompts have been listed, and nothing is sent", async () => {
  let required = true;
  const { host, server } = hostWith({
    "prompts/list": () => ({
      prompts: [
        {
          name: "p",
          arguments: [{ name: "a", required }, { name: "b" }, { name: "constructor", required }],
        },
      ],
    }),
    "prompts/get": () => ({ messages: [] }),
  });
  const sent = () => server.asked.filter(({ method }) => method === "prompts/get").length;
  await host.getPrompt("s", "p");
  expect(sent()).toBe(1);
  await host.prompts();
  await expect(host.getPrompt("s", "p", { b: "x" })).rejects.toMatchObject({
    code: "call_invalid",
    message: expect.stringContaining('The prompt "p" of server "s" needs "a", "constructor".'),
  });
  expect(sent()).toBe(1);
  await host.getPrompt("s", "p", { a: "", constructor: "y" });
  await host.getPrompt("s", "unlisted", {});
  expect(sent()).toBe(3);
  required = false;
  await host.getPrompt("s", "p");
  expect(sent()).toBe(4);
});
