import { expect, test } from "vitest";
import { createAnthropicModel } from "../../src/models/anthropic/model.ts";
import { createGeminiModel } from "../../src/models/gemini/model.ts";
import { createOpenAiChatModel } from "../../src/models/openai-chat/model.ts";
import { chatProfiles } from "../../src/models/openai-chat/profiles.ts";
import { createOpenAiResponsesModel } from "../../src/models/openai-responses/model.ts";
import type { Model } from "../../src/types/model.ts";
import { systemClock } from "../../src/util/clock.ts";
import { eventsOf, requestOf, userText } from "./anthropic/requests.ts";

/** The URL that a model asks. */
async function urlAsked(
  make: (common: Parameters<typeof createAnthropicModel>[0]) => Model,
): Promise<string> {
  let asked = "";
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    asked = String(url);
    return new Response("{}", { status: 404 });
  };
  const common = { name: "gemini-3-pro", apiKey: "", fetch, maxRetries: 0, retryDeadlineMs: 1_000 };
  const model = make({ ...common, clock: systemClock });
  await expect(eventsOf(model, requestOf([userText("go")]))).rejects.toThrow();
  return asked;
}

test("slashes at the end of a base URL change nothing", async () => {
  const profile = chatProfiles.ollama;
  for (const slashes of ["", "/", "//"]) {
    const baseUrl = `http://gateway.example/x${slashes}`;
    const urls = await Promise.all([
      urlAsked((common) => createAnthropicModel({ ...common, baseUrl })),
      urlAsked((common) => createOpenAiResponsesModel({ ...common, baseUrl })),
      urlAsked((common) => createOpenAiChatModel({ ...common, profile, baseUrl })),
      urlAsked((common) => createGeminiModel({ ...common, baseUrl })),
    ]);
    expect(urls).toEqual([
      "http://gateway.example/x/v1/messages",
      "http://gateway.example/x/responses",
      "http://gateway.example/x/chat/completions",
      "http://gateway.example/x/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
    ]);
  }
});

test("the version at the end of a base URL is not asked for twice", async () => {
  for (const end of ["/v1", "/v1/"]) {
    const baseUrl = `http://gateway.example/x${end}`;
    expect(await urlAsked((common) => createAnthropicModel({ ...common, baseUrl }))).toBe(
      "http://gateway.example/x/v1/messages",
    );
  }
  expect(
    await urlAsked((common) => createGeminiModel({ ...common, baseUrl: "http://gateway.example/v1beta/" })),
  ).toBe("http://gateway.example/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse");
});
