import { afterEach, expect, test } from "vitest";
import {
  type OpenAiResponsesSimulatorOptions,
  startOpenAiResponsesSimulator,
} from "../../../src/testing/openai-responses/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import { body, call, object, output, schema, talk, user } from "./bodies.ts";

const open: Simulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
});

async function start(options: OpenAiResponsesSimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startOpenAiResponsesSimulator(options);
  open.push(simulator);
  return simulator;
}

async function post(
  { url }: Simulator,
  sent: object | string,
  headers: Record<string, string> = { authorization: "Bearer sk-test" },
): Promise<{ status: number; text: string; json: Record<string, unknown> }> {
  const response = await fetch(`${url}/v1/responses`, {
    method: "POST",
    headers,
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text.startsWith("{") ? text : "{}") };
}

test("a key is wanted, in either header; another path and a body that is no JSON are refused", async () => {
  const simulator = await start();
  expect(await post(simulator, body(), {})).toMatchObject({ status: 401 });
  expect(await post(simulator, body(), { "api-key": "sk-test" })).toMatchObject({ status: 200 });
  expect((await fetch(`${simulator.url}/v1/chat/completions`, { method: "POST" })).status).toBe(404);
  expect(await post(simulator, "{")).toMatchObject({ status: 400 });
  expect(await post(simulator, '{"model":"m","input":"\\ud800"}')).toMatchObject({ status: 400 });
});

test("a refusal has the API's form, with its place and code", async () => {
  const { status, json } = await post(await start(), schema({ type: "string" }));
  expect(status).toBe(400);
  expect(json).toEqual({
    error: {
      message: `Invalid schema for function 't': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
      type: "invalid_request_error",
      param: "tools[0].parameters",
      code: "invalid_function_parameters",
    },
  });
});

test("without a script a named tool is called, its result repeated, and anything else echoed", async () => {
  const simulator = await start();
  const tools = [{ type: "function", name: "files__read", parameters: object({}) }];
  const asked = { role: "user", content: [{ type: "input_text", text: 'read {"path":"a"}' }] };
  const { json } = await post(simulator, body({ input: [asked], tools }));
  expect(json.output).toMatchObject([
    { type: "function_call", name: "files__read", arguments: '{"path":"a"}' },
  ]);
  const words = async (request: object): Promise<unknown> => {
    const { output: items } = (await post(simulator, request)).json as {
      output: { content: { text: string }[] }[];
    };
    return items[0]?.content[0]?.text;
  };
  expect(await words(talk(call(), output({ output: "found" })))).toBe("The tools answered: found");
  expect(await words(body({ input: "hello" }))).toBe("You said: hello");
});

test("encrypted reasoning is given out only where it is asked for, and known again at another simulator", async () => {
  const turns = () => ({ output: [{ type: "reasoning" as const }, { type: "message" as const, text: "a" }] });
  const simulator = await start({ turns });
  const plain = await post(simulator, body());
  expect(plain.text).not.toContain("encrypted_content");
  const asked = await post(simulator, body({ include: ["reasoning.encrypted_content"] }));
  const items = asked.json.output as object[];
  expect(items[0]).toMatchObject({ encrypted_content: expect.stringMatching(/^gAAAA/) });
  const again = body({ input: [user, ...items, user] });
  expect((await post(await start(), again)).status).toBe(200);
  expect((await post(simulator, again)).status).toBe(200);
});

test("a prefix of 1,024 tokens or more is found in the cache, in steps of 128, also behind new items", async () => {
  const simulator = await start();
  const cachedOf = async (...texts: readonly string[]): Promise<number> => {
    const input = texts.map((content) => ({ role: "user", content }));
    const { usage } = (await post(simulator, body({ input }))).json as {
      usage: { input_tokens_details: { cached_tokens: number } };
    };
    return usage.input_tokens_details.cached_tokens;
  };
  expect(await cachedOf("a".repeat(3_000))).toBe(0);
  expect(await cachedOf("a".repeat(3_000))).toBe(0);
  expect(await cachedOf("b".repeat(5_000))).toBe(0);
  const cached = await cachedOf("b".repeat(5_000), "and more");
  expect(cached).toBeGreaterThanOrEqual(1_024);
  expect(cached % 128).toBe(0);
});

test("a script that is not used up, or asked too much of, fails; a refused request uses up no step", async () => {
  const simulator = await start({ turns: [{ output: [] }, { output: [] }] });
  expect((await post(simulator, body({ input: [] }))).status).toBe(400);
  await post(simulator, body());
  expect(() => simulator.assertDone()).toThrow("asked 1 time; its script has 2 steps");
  await post(simulator, body());
  simulator.assertDone();
  expect((await post(simulator, body())).text).toContain("no step is left");
  expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200, 200, 400]);
});

test("a stream is numbered throughout, each event under its name, and a failed answer ends as one", async () => {
  const failed = { code: "server_error", message: "no" };
  const simulator = await start({ turns: [{ output: [{ type: "message", text: "a" }], failed }] });
  const { text } = await post(simulator, body({ stream: true }));
  const events = text
    .trim()
    .split("\n\n")
    .map((frame) => {
      const [name = "", payload = ""] = frame.split("\n");
      return { name: name.slice("event: ".length), ...JSON.parse(payload.slice("data: ".length)) };
    });
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.every(({ name, type }) => name === type)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { error: failed } });
});
