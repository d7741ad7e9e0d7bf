import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { ModelRequest } from "../../src/types/model.ts";
import { runScript } from "../support/run-host.ts";
import { recorded } from "./traced.ts";

const secret = "sk-hidden-0123456789";
const words = ["QUESTION", "ARGUMENT", "RESULT", "ANSWER", "THOUGHT", "REASON", "NOTHING-CALLED-SO"];

/** A run whose every text is one of the words, or holds the secret. */
async function talk(content: boolean) {
  const spans = recorded();
  const s = fakeServer(
    [
      textTool("read", () => `RESULT ${secret}`),
      textTool("fails", () => Promise.reject(new Error(`RESULT ${secret}`))),
    ],
    { secrets: [{ name: "KEY", value: secret }] },
  );
  const calls = [
    { name: "s__read", input: { a: `ARGUMENT ${secret}`, b: Buffer.from(secret).toString("base64") } },
    { name: "s__fails", input: { a: "ARGUMENT" } },
    { name: `NOTHING-CALLED-SO`, input: { a: "ARGUMENT" } },
  ];
  await runScript(
    [
      { thinking: "THOUGHT", text: `ANSWER ${secret}`, calls, failedAttempts: [`REASON ${secret}`] },
      { text: `ANSWER ${secret}` },
    ],
    {
      question: `QUESTION ${secret}`,
      servers: { s },
      telemetry: { tracer: spans.tracer, content },
    },
  );
  return spans;
}

test("no word of the conversation is in a span by default", async () => {
  const spans = await talk(false);
  expect(spans.spans().length).toBeGreaterThan(6);
  for (const word of [...words, secret]) expect(spans.text()).not.toContain(word);
});

test("with content the words are there, in the forms of the conventions, and secrets are not", async () => {
  const spans = await talk(true);
  const text = spans.text();
  for (const word of words) expect(text).toContain(word);
  for (const form of [secret, Buffer.from(secret).toString("base64")]) expect(text).not.toContain(form);
  expect(text).toContain("⟨secret");
  const { attributes } = spans.span("execute_tool read");
  expect(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))).toHaveProperty("a");
  expect(JSON.parse(String(attributes["gen_ai.tool.call.result"]))).toMatchObject({
    content: [{ type: "text", text: expect.stringContaining("RESULT") }],
  });
  const run = spans.span("invoke_agent").attributes;
  expect(JSON.parse(String(run["gen_ai.input.messages"]))).toMatchObject([
    { role: "user", parts: [{ type: "text", content: expect.stringContaining("QUESTION") }] },
  ]);
  const [chat] = spans.spans().filter(({ name }) => name === "chat scripted");
  expect(JSON.parse(String(chat?.attributes["gen_ai.output.messages"]))).toMatchObject([
    {
      role: "assistant",
      parts: [{ type: "reasoning", content: "THOUGHT" }, { type: "text" }, { type: "tool_call" }, {}, {}],
      finish_reason: "tool_use",
    },
  ]);
});

test("a name that holds a secret shows none, and long texts are cut and say by how much", async () => {
  const spans = recorded();
  const s = fakeServer([textTool(`read-${secret}`, () => "x".repeat(100_000))], {
    secrets: [{ name: "KEY", value: secret }],
  });
  await runScript([{ calls: [{ name: `s__read-${secret}` }] }, { text: "done" }], {
    servers: { s },
    telemetry: { tracer: spans.tracer, content: true },
  });
  expect(spans.text()).not.toContain(secret);
  const execution = spans.spans().find(({ name }) => name.startsWith("execute_tool"));
  const result = String(execution?.attributes["gen_ai.tool.call.result"]);
  expect(result.length).toBeLessThan(17_000);
  expect(result).toMatch(/… \(\d+ more characters\)$/);
});

test("a secret that JSON has to escape is found however deep it is written", async () => {
  const spans = recorded();
  const awkward = 'p@ss/"w+rd ü~4711\\geheim';
  const deep = JSON.stringify({ a: JSON.stringify({ b: awkward }) });
  const definition = { name: "read", inputSchema: { type: "object" } };
  const result = { content: [{ type: "text", text: deep }], structuredContent: { [awkward]: deep } };
  const s = fakeServer([{ definition, run: () => result }], { secrets: [{ name: "KEY", value: awkward }] });
  await runScript(
    [{ text: deep, calls: [{ name: "s__read", input: { a: deep, [awkward]: 1 } }] }, { text: awkward }],
    { question: deep, servers: { s }, telemetry: { tracer: spans.tracer, content: true } },
  );
  const values = spans.spans().flatMap(({ attributes }) => Object.values(attributes).map(String));
  expect(values.filter((value) => value.includes("⟨secret")).length).toBeGreaterThanOrEqual(5);
  expect(values.filter((value) => /4711|geheim/.test(value))).toEqual([]);
});

test("signs that redraw a terminal are visible in names", async () => {
  const spans = recorded();
  const s = fakeServer([textTool("a\u001b[2Jb", () => "1")]);
  const step = ({ snapshot }: ModelRequest) => {
    const found = snapshot.tools.find(({ route }) => route.server === "s");
    return { calls: [{ name: found?.alias ?? "" }] };
  };
  await runScript([step, { text: "done" }], { servers: { s }, telemetry: { tracer: spans.tracer } });
  expect(spans.tree()).toContain("    execute_tool a\\u001b[2Jb");
});
