import { afterEach, expect, test } from "vitest";
import { familyOf } from "../../../src/models/gemini/family.ts";
import { nativeTurn, rebuiltTurn } from "../../../src/models/gemini/turn.ts";
import type { SimulatedGeminiCall } from "../../../src/testing/gemini/turns.ts";
import type { Message } from "../../../src/types/message.ts";
import { requestOf, responseOf, userText } from "../anthropic/requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

/** The contents of the request that goes back after a call, and the statuses of both. */
async function replayed(functionCall: object): Promise<{ contents: unknown; statuses: number[] }> {
  const { simulator, model } = await startModel({
    turns: [
      { parts: [{ functionCall: functionCall as SimulatedGeminiCall }] },
      { parts: [{ text: "done" }] },
    ],
  });
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const [call] = message.content;
  if (call?.type !== "tool_call") throw new Error("There is no call.");
  const content = [{ type: "text" as const, text: "That cannot run." }];
  const result: Message = {
    role: "user",
    content: [{ type: "tool_result", callId: call.id, isError: true, content }],
  };
  await responseOf(model, requestOf([userText("go"), message, result]));
  const { requests } = simulator;
  return { contents: requests[1]?.body.contents, statuses: requests.map(({ status }) => status) };
}

test("a call of a function whose name nobody may give does not spoil the conversation", async () => {
  for (const [made, sent] of [
    ["", "unnamed"],
    ["a b", "a_b"],
    ["имя", "__"],
    ["x".repeat(90), "x".repeat(64)],
  ]) {
    const { contents, statuses } = await replayed({ name: made, args: { a: 1 } });
    expect(statuses).toEqual([200, 200]);
    expect(contents).toMatchObject([
      { role: "user" },
      { role: "model", parts: [{ functionCall: { name: sent, args: { a: 1 } } }] },
      { role: "user", parts: [{ functionResponse: { name: sent } }] },
    ]);
  }
});

test("arguments that are no object which the API can read go back as none", () => {
  const deep = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;
  for (const args of ['"text"', "[1]", "null", '{"a":1e999}', deep]) {
    const json = `[{"role":"model","parts":[{"functionCall":{"name":"files__read","args":${args}}}]}]`;
    const content = [{ type: "tool_call" as const, id: "c", name: "files__read", input: args }];
    const turn = { role: "assistant" as const, content, native: { api: "gemini", model: "m", json } };
    expect(nativeTurn(turn), args.slice(0, 20)).toBeNull();
    expect(rebuiltTurn(turn, familyOf("gemini-2.5-flash")).json).toContain('"args":{}');
  }
});
