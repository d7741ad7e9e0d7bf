import { ApiError, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { SimulatedGeminiStep } from "../../../src/testing/gemini/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";

const key = "AIza-official-0123456789";
let simulator: Simulator;
let client: GoogleGenAI;
let steps: SimulatedGeminiStep[] = [];

beforeAll(async () => {
  simulator = await startGeminiSimulator({
    fragmentBytes: 11,
    deltaChars: 3,
    turns: () => steps.shift() ?? { parts: [{ text: "done" }] },
  });
  client = new GoogleGenAI({
    apiKey: key,
    httpOptions: { baseUrl: simulator.url, retryOptions: { attempts: 1 } },
  });
});
afterAll(() => simulator.close());

const read = {
  functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object", properties: {} } }],
};

test("the official package's own chat reads streams, and sends calls back with their signatures", async () => {
  steps = [
    {
      parts: [
        { text: "Zwei Dateien.", thought: true },
        { text: "Ich lese 猫 🙂." },
        { functionCall: { name: "read", args: { path: "a" } } },
        { functionCall: { name: "read", args: { path: "ü" } } },
      ],
    },
    { parts: [{ text: "Fertig." }] },
  ];
  const chat = client.chats.create({ model: "gemini-3-pro", config: { tools: [read] } });
  const texts: string[] = [];
  const calls: { id: string | undefined; args: unknown }[] = [];
  let last: unknown;
  for await (const chunk of await chat.sendMessageStream({ message: "go" })) {
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      if (part.text !== undefined && part.thought !== true) texts.push(part.text);
      if (part.functionCall !== undefined)
        calls.push({ id: part.functionCall.id, args: part.functionCall.args });
    }
    last = chunk.candidates?.[0]?.finishReason;
    expect(chunk.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
  }
  expect(texts.join("")).toBe("Ich lese 猫 🙂.");
  expect(calls.map(({ args }) => args)).toEqual([{ path: "a" }, { path: "ü" }]);
  expect(last).toBe("STOP");
  const message = calls.map(({ id }) => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name: "read", response: { output: "x" } },
  }));
  const answer: string[] = [];
  for await (const chunk of await chat.sendMessageStream({ message })) answer.push(chunk.text ?? "");
  expect(answer.join("")).toBe("Fertig.");
  expect(simulator.requests.at(-1)?.text).toContain("thoughtSignature");
});

test("its errors are the package's errors, also in the middle of a stream", async () => {
  steps = [
    { fault: { type: "rate_limited", retryAfter: 1 } },
    { fault: { type: "stream_error", afterEvents: 1, turn: { parts: [{ text: "a" }] } } },
  ];
  const ask = (): Promise<unknown> =>
    client.models.generateContent({ model: "gemini-3-pro", contents: "go" });
  await expect(ask()).rejects.toMatchObject({ name: "ApiError", status: 429 });
  const stream = await client.models.generateContentStream({ model: "gemini-3-pro", contents: "go" });
  const reading = async (): Promise<void> => {
    for await (const _ of stream);
  };
  await expect(reading()).rejects.toThrow(/overloaded|JSON/);
  const invalid = client.models.generateContent({
    model: "gemini-3-pro",
    contents: [{ role: "user", parts: [{ functionResponse: { name: "read", response: {} } }] }],
  });
  await expect(invalid).rejects.toBeInstanceOf(ApiError);
});

test("it reads an answer that is not streamed, and counts tokens", async () => {
  const { text, usageMetadata } = await client.models.generateContent({
    model: "gemini-3-pro",
    contents: "go",
  });
  expect(text).toBe("done");
  expect(usageMetadata?.candidatesTokenCount).toBeGreaterThan(0);
  const { totalTokens } = await client.models.countTokens({ model: "gemini-3-pro", contents: "go" });
  expect(totalTokens).toBeGreaterThan(0);
});

test("the key is in no record of a request", () => {
  expect(simulator.requests.length).toBeGreaterThan(5);
  expect(JSON.stringify(simulator.requests)).not.toContain(key);
});
