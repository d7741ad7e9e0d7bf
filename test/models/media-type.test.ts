import { expect, test } from "vitest";
import { createOpenAiChatModel } from "../../src/models/openai-chat/model.ts";
import { chatProfiles } from "../../src/models/openai-chat/profiles.ts";
import { systemClock } from "../../src/util/clock.ts";
import { requestOf, responseOf, userText } from "./anthropic/requests.ts";

test("a stream is known by its media type, whatever the case of its letters", async () => {
  const event = '{"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}';
  const model = createOpenAiChatModel({
    name: "m",
    profile: chatProfiles.ollama,
    apiKey: "",
    fetch: async () =>
      new Response(`data: ${event}\n\ndata: [DONE]\n\n`, {
        headers: { "content-type": "Text/Event-Stream; Charset=UTF-8" },
      }),
    maxRetries: 0,
    retryDeadlineMs: 1_000,
    clock: systemClock,
  });
  const { message } = await responseOf(model, requestOf([userText("go")]));
  expect(message.content).toEqual([{ type: "text", text: "Hello" }]);
});
