import { expect, test } from "vitest";
import { createHost } from "../../../src/host.ts";
import { fromLanguageModel } from "../../../src/models/language-model/from-language-model.ts";
import type { LanguageModel } from "../../../src/models/language-model/language-model.ts";
import { fakeServer, textTool } from "../../../src/testing/fake-server.ts";
import type { Clock } from "../../../src/types/ports.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { eventsOf, requestOf, responseOf, userText } from "../anthropic/requests.ts";
import { callError, type FakeAnswer, fakeModel, finish, text, toolCall } from "./fake-model.ts";

const go = requestOf([userText("go")]);
const done: FakeAnswer = { parts: [...text("done"), finish()] };
/** Waits for nothing. */
const clock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms > 100_000 ? ms : 0, action),
};
const settings = { clock, maxRetries: 1 };
const named = (name: string, message = "so it is"): Error => Object.assign(new Error(message), { name });
const words = (message: string, type = "x") => ({ error: { message, type } });

/** The code that a failure ends with, and how often was asked. */
async function failing(
  answer: FakeAnswer,
): Promise<readonly [code: unknown, asked: number, message: string]> {
  const fake = fakeModel([answer, answer, answer]);
  try {
    await responseOf(fromLanguageModel(fake, settings), go);
  } catch (thrown) {
    const { code, message } = thrown as Error & { code: unknown };
    return [code, fake.calls.length, message];
  }
  throw new Error("It should have failed.");
}

test("errors of calls are read like the answers of an API", async () => {
  for (const [rejects, code, asked] of [
    [callError(400, words("bad")), "model_rejected", 1],
    [callError(402, words("no credit")), "model_spend_limit", 1],
    [callError(404, words("The model `x` does not exist")), "model_unknown", 1],
    [callError(429, words("slow down")), "model_rate_limited", 2],
    [callError(500, words("trouble")), "model_overloaded", 2],
    [callError(500, words("trouble"), { isRetryable: false }), "model_overloaded", 1],
    [callError(undefined, "", { isRetryable: true }), "model_unreachable", 2],
    [callError(undefined, "", { isRetryable: false }), "model_unreachable", 1],
    [new TypeError("fetch failed"), "model_unreachable", 2],
    [named("AI_LoadAPIKeyError"), "model_key_missing", 1],
    [named("AI_NoSuchModelError"), "model_unknown", 1],
    [named("AI_TypeValidationError"), "model_bad_response", 2],
    [named("AI_UnsupportedFunctionalityError"), "model_rejected", 1],
  ] as const) {
    expect((await failing({ rejects })).slice(0, 2), String(rejects)).toEqual([code, asked]);
  }
  const spent = {
    error: {
      type: "rate_limit_error",
      message: "cap",
      details: { error_code: "enforced_spend_limit_reached" },
    },
  };
  expect((await failing({ rejects: callError(429, spent) }))[0]).toBe("model_spend_limit");
});

test("an error in the stream is met by what it says, in any of its forms", async () => {
  for (const [error, code, asked] of [
    [{ type: "overloaded_error", message: "busy" }, "model_overloaded", 2],
    ['{"error":{"type":"rate_limit_error","message":"busy"}}', "model_rate_limited", 2],
    [{ code: "insufficient_quota", message: "busy" }, "model_spend_limit", 1],
    [{ type: "invalid_request_error", message: "busy" }, "model_rejected", 1],
    ["busy", "model_bad_response", 2],
    [new Error("busy"), "model_bad_response", 2],
    [callError(400, words("busy")), "model_rejected", 1],
  ] as const) {
    const [found, times, message] = await failing({ parts: [...text("half"), { type: "error", error }] });
    expect([found, times]).toEqual([code, asked]);
    expect(message).toContain("busy");
  }
  const stopped = await failing({ parts: [...text("half"), finish("error", "engine_overloaded")] });
  expect(stopped[2]).toBe("The provider stopped: engine_overloaded.");
  expect((await failing({ parts: text("half"), breaks: new TypeError("terminated") }))[1]).toBe(2);
});

test("what a provider warns of is told once", async () => {
  const warnings = [
    { type: "unsupported", feature: "topK", details: "not here" },
    { type: "other", message: "be careful" },
  ];
  const warned: FakeAnswer = { parts: [{ type: "stream-start", warnings }, ...text("x"), finish()] };
  const model = fromLanguageModel(fakeModel([warned, warned]));
  const told = [...(await eventsOf(model, go)), ...(await eventsOf(model, go))].flatMap((event) =>
    event.type === "warning" ? [event.text] : [],
  );
  expect(told).toEqual(["unsupported: topK: not here", "be careful"]);
});

test("a tool that the provider refuses by its name is kept out of the conversation", async () => {
  const refused = callError(400, words("Invalid schema for function 'files__read': something new."));
  const fake = fakeModel([{ rejects: refused }, done]);
  const events = await eventsOf(fromLanguageModel(fake, settings), go);
  expect(events.filter(({ type }) => type === "warning")).toMatchObject([{ code: "tool_quarantined" }]);
  expect(fake.calls[1]?.tools).toBeUndefined();
});

test("an abort ends the request also where the provider does not heed it, and gives up its stream", async () => {
  const deaf: LanguageModel = { ...fakeModel([]), doStream: () => new Promise(() => {}) };
  const waiting = new AbortController();
  const asked = responseOf(fromLanguageModel(deaf), requestOf([userText("go")], { signal: waiting.signal }));
  waiting.abort();
  await expect(asked).rejects.toMatchObject({ code: "aborted" });

  const silent = new ReadableStream<unknown>({});
  const quiet: LanguageModel = { ...fakeModel([]), doStream: async () => ({ stream: silent }) };
  const reading = new AbortController();
  const read = responseOf(fromLanguageModel(quiet), requestOf([userText("go")], { signal: reading.signal }));
  setTimeout(() => reading.abort(), 20);
  await expect(read).rejects.toMatchObject({ code: "aborted" });

  const fake = fakeModel([{ parts: [...text("a long answer"), finish()] }]);
  for await (const event of fromLanguageModel(fake).stream(go)) if (event.type === "text_delta") break;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(fake.cancelled()).toBe(1);
});

test("a provider that gives no sign for too long is given up", async () => {
  const hurried: Clock = {
    ...systemClock,
    after: (ms, action) => systemClock.after(ms === 300_000 ? 5 : ms, action),
  };
  const deaf: LanguageModel = { ...fakeModel([]), doStream: () => new Promise(() => {}) };
  const asked = responseOf(fromLanguageModel(deaf, { clock: hurried, maxRetries: 0 }), go);
  await expect(asked).rejects.toMatchObject({
    code: "model_bad_response",
    message: "The API gave no sign for 300 seconds.",
  });
});

test("a whole run works with a model object", async () => {
  const fake = fakeModel([
    { parts: [...toolCall("c1", "files__echo", '{"text":"hello"}'), finish("tool-calls")] },
    { parts: [...text("It said hello."), finish()] },
  ]);
  const server = fakeServer([textTool("echo", ({ text: said }) => String(said))]);
  await using host = createHost({
    servers: { files: server.config },
    model: fromLanguageModel(fake),
    policy: { rules: ["allow files/*"] },
    state: false,
    audit: false,
  });
  const result = await host.run("say hello").result;
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "It said hello.", calls: 1 });
  expect(fake.calls[1]?.prompt.at(-1)).toEqual({
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "files__echo",
        output: { type: "text", value: "hello" },
      },
    ],
  });
});
