import { afterEach, expect, test } from "vitest";
import { type GeminiSimulatorOptions, startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import { answered, call, declaring, request, response, text, user } from "./bodies.ts";

const open: Simulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()));
});

async function start(options: GeminiSimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startGeminiSimulator(options);
  open.push(simulator);
  return simulator;
}

const keyed = { "x-goog-api-key": "AIza-test" };

async function post(
  { url }: Simulator,
  sent: object | string,
  { path = "gemini-3-pro:generateContent", headers = keyed as Record<string, string> } = {},
): Promise<{ status: number; text: string; json: Record<string, never> }> {
  const answer = await fetch(`${url}/v1beta/models/${path}`, {
    method: "POST",
    headers,
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
  });
  const body = await answer.text();
  return { status: answer.status, text: body, json: JSON.parse(/^[{[]/.test(body) ? body : "{}") };
}

const partsOf = (json: Record<string, never>): unknown =>
  (json as unknown as { candidates: { content: { parts: unknown } }[] }).candidates[0]?.content.parts;

test("a key is wanted, in either header", async () => {
  const simulator = await start();
  expect(await post(simulator, request(), { headers: {} })).toMatchObject({
    status: 403,
    json: { error: { status: "PERMISSION_DENIED" } },
  });
  const headers = { authorization: "Bearer AIza-test" };
  expect(await post(simulator, request(), { headers })).toMatchObject({ status: 200 });
});

test("another path, a model that is not there and a body that is no JSON are refused", async () => {
  const simulator = await start();
  expect(await post(simulator, request(), { path: "gemini-3-pro:embed" })).toMatchObject({ status: 404 });
  expect(await post(simulator, request(), { path: "nothing:generateContent" })).toMatchObject({
    status: 404,
    json: {
      error: { message: expect.stringMatching(/^models\/nothing is not found for API version v1beta/) },
    },
  });
  for (const body of ["{", '{"contents":[{"parts":[{"text":"\\ud800"}]}]}']) {
    expect(await post(simulator, body)).toMatchObject({ status: 400 });
  }
});

test("a request that is refused says so in Google's form, and uses up no step", async () => {
  const simulator = await start({ turns: [{ parts: [{ text: "a" }] }] });
  const { json } = await post(simulator, { contents: [], x: 1 });
  expect(json).toMatchObject({
    error: {
      code: 400,
      status: "INVALID_ARGUMENT",
      details: [{ fieldViolations: [{ description: expect.stringContaining('Unknown name "x"') }] }],
    },
  });
  expect((await post(simulator, request())).status).toBe(200);
  simulator.assertDone();
});

test("a request that is too long for the model is refused by its tokens", async () => {
  const { status, json } = await post(await start({ contextTokens: 10 }), request());
  expect(status).toBe(400);
  expect(json).toMatchObject({
    error: { message: expect.stringMatching(/^The input token count \(\d+\) exceeds the maximum/) },
  });
});

test("the tokens grow with the stream, and its reason of the end comes last", async () => {
  const simulator = await start({
    turns: [{ parts: [{ text: "hm", thought: true }, { text: "some words" }] }],
    deltaChars: 4,
  });
  const { text: stream } = await post(simulator, request(), {
    path: "gemini-3-pro:streamGenerateContent?alt=sse",
  });
  const chunks = stream
    .split("\r\n\r\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
  const totals = chunks.map(({ usageMetadata }) => usageMetadata.totalTokenCount);
  expect(totals).toEqual([...totals].sort((a, b) => a - b));
  expect(new Set(totals).size).toBeGreaterThan(2);
  const reasons = chunks.map(({ candidates }) => candidates[0].finishReason);
  expect(reasons.slice(0, -1).every((reason) => reason === undefined)).toBe(true);
  expect(reasons.at(-1)).toBe("STOP");
  expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
  expect(chunks.at(-1).candidates[0].content.parts[0].thoughtSignature).toBeDefined();
  expect(chunks.at(-1).usageMetadata.thoughtsTokenCount).toBeGreaterThan(0);
});

test("a stream without alt=sse is one list", async () => {
  const { json } = await post(await start(), request(), { path: "gemini-3-pro:streamGenerateContent" });
  expect(json).toHaveLength(1);
});

test("signatures are given to the first call of a turn, from Gemini 3 on, and taken back as they were", async () => {
  const two = { parts: [{ functionCall: { name: "t" } }, { functionCall: { name: "t" } }] };
  const simulator = await start({ turns: [two, two, { parts: [{ text: "a" }] }] });
  const older = await post(simulator, request(), { path: "gemini-2.5-pro:generateContent" });
  expect(older.text).not.toContain("thoughtSignature");
  const [first, second] = partsOf((await post(simulator, request())).json) as { thoughtSignature?: string }[];
  expect(first?.thoughtSignature).toBeDefined();
  expect(second?.thoughtSignature).toBeUndefined();
  const back = answered([first ?? {}, second ?? {}], [response({}), response({})]);
  expect((await post(simulator, back)).status).toBe(200);
  const altered = answered(
    [{ ...first, thoughtSignature: "c2ln" }, second ?? {}],
    [response({}), response({})],
  );
  expect((await post(simulator, altered)).json).toMatchObject({
    error: { message: "Corrupted thought signature." },
  });
});

test("a signature of the script is known again, for the model that it was given to", async () => {
  const part = { functionCall: { name: "t" }, thoughtSignature: "c2ln" };
  const simulator = await start({ turns: [{ parts: [part] }, { parts: [{ text: "a" }] }] });
  await post(simulator, request());
  const back = answered([call({}, { thoughtSignature: "c2ln" })], [response()]);
  expect((await post(simulator, back, { path: "gemini-3-flash:generateContent" })).status).toBe(400);
  expect((await post(simulator, back)).status).toBe(200);
});

test("arguments that are no JSON object end the turn as the API ends it", async () => {
  const simulator = await start({ turns: [{ parts: [{ functionCall: { name: "t", args: "{" } }] }] });
  expect((await post(simulator, request())).json).toMatchObject({
    candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Malformed function call: t" }],
  });
});

test("faults have the form of Google's errors", async () => {
  const faults = ["rate_limited", "spend_limit", "overloaded", "unauthorized"] as const;
  const simulator = await start({ turns: faults.map((type) => ({ fault: { type, retryAfter: 7 } })) });
  const seen: string[] = [];
  for (const _ of faults) {
    const { status, text: body } = await post(simulator, request());
    seen.push(
      `${status} ${["PerMinute", "PerDay", "API_KEY_INVALID", '"7s"'].filter((word) => body.includes(word))}`,
    );
  }
  expect(seen).toEqual(['429 PerMinute,"7s"', "429 PerDay", "503 ", "400 API_KEY_INVALID"]);
});

test("the implicit cache finds a prefix that is long enough for the model", async () => {
  const simulator = await start();
  const cached = async (words: number, model: string): Promise<unknown[]> => {
    const path = `${model}:generateContent`;
    const body = request([user(text(`${model} ${"word ".repeat(words)}`))]);
    const found = [];
    for (let count = 0; count < 2; count += 1) {
      const { json } = await post(simulator, body, { path });
      const { cachedContentTokenCount = 0 } = (json as unknown as { usageMetadata: Record<string, number> })
        .usageMetadata;
      found.push(cachedContentTokenCount > 0);
    }
    return found;
  };
  expect(await cached(2_000, "gemini-2.5-flash")).toEqual([false, true]);
  expect(await cached(2_000, "gemini-3-pro")).toEqual([false, false]);
  expect(await cached(4_000, "gemini-3-pro")).toEqual([false, true]);
});

test("without a script a message that names a tool calls it, and its response is told", async () => {
  const simulator = await start();
  const tools = declaring({ name: "files__read" });
  const first = await post(simulator, { ...tools, ...request([user(text('please read {"path":"a"}'))]) });
  const [part] = partsOf(first.json) as { functionCall: object; thoughtSignature: string }[];
  expect(part?.functionCall).toMatchObject({ name: "files__read", args: { path: "a" } });
  const { thoughtSignature } = part ?? {};
  const back = answered(
    [call({ name: "files__read" }, { thoughtSignature })],
    [response({ name: "files__read" })],
  );
  expect((await post(simulator, back)).text).toContain('The tools answered: {\\"output\\":\\"o\\"}');
  expect((await post(simulator, request())).text).toContain("You said: hello");
});

test("a call too many and a step too few are told", async () => {
  const simulator = await start({ turns: [{ parts: [{ text: "a" }] }] });
  expect(() => simulator.assertDone()).toThrow("asked 0 times");
  await post(simulator, request());
  simulator.assertDone();
  expect((await post(simulator, request())).text).toContain("no step is left");
  expect(() => simulator.assertDone()).toThrow("asked 2 times");
});
