import { afterEach, expect, test } from "vitest";
import type { Message } from "../../../src/types/message.ts";
import { requestOf, responseOf, userText } from "../anthropic/requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

test("a call of a function without a name does not spoil the conversation", async () => {
  const { simulator, model } = await startModel({
    turns: [{ parts: [{ functionCall: { name: "", args: { a: 1 } } }] }, { parts: [{ text: "done" }] }],
  });
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const [call] = message.content;
  if (call?.type !== "tool_call") throw new Error("There is no call.");
  const content = [{ type: "text" as const, text: 'There is no tool "".' }];
  const result: Message = {
    role: "user",
    content: [{ type: "tool_result", callId: call.id, isError: true, content }],
  };
  await responseOf(model, requestOf([userText("go"), message, result]));
  expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
  expect(simulator.requests[1]?.body.contents).toMatchObject([
    { role: "user" },
    { role: "model", parts: [{ functionCall: { name: "unnamed", args: { a: 1 } } }] },
    { role: "user", parts: [{ functionResponse: { name: "unnamed" } }] },
  ]);
});
