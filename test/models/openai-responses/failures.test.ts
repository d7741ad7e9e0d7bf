import { afterEach, expect, test } from "vitest";
import type { SimulatedResponseTurn } from "../../../src/testing/openai-responses/turns.ts";
import type { Clock } from "../../../src/types/ports.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { eventsOf, requestOf, requestsTold, responseOf, userText } from "../anthropic/requests.ts";
import { closeAll, modelAnswered, says, startModel } from "./start.ts";

afterEach(closeAll);

/** Waits for nothing. */
const clock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms > 100_000 ? ms : 0, action),
};
const failed = (code: string): SimulatedResponseTurn => ({
  output: [says("half an answer")],
  failed: { code, message: `because of ${code}` },
});

test("an answer that fails by trouble of the server is asked for again whole, and both are counted", async () => {
  for (const code of ["server_error", "rate_limit_exceeded", "server_is_overloaded"]) {
    const { model } = await startModel(
      { turns: [failed(code), { output: [says("done")] }] },
      { clock, maxRetries: 1 },
    );
    const events = await eventsOf(model, requestOf([userText("go")]));
    const at = events.findIndex(({ type }) => type === "attempt_failed");
    expect(events[at]).toMatchObject({ reason: expect.stringContaining(`because of ${code}`) });
    expect(events.slice(0, at).some(({ type }) => type === "text_delta")).toBe(true);
    const last = events.at(-1);
    expect(last?.type === "response" && last.response).toMatchObject({
      message: { content: [{ type: "text", text: "done" }] },
    });
    expect(requestsTold(events)).toBe(2);
    const used = events.flatMap((event) => (event.type === "usage" ? [event.usage.outputTokens] : []));
    expect(used).toEqual([expect.any(Number)]);
    expect(used[0]).toBeGreaterThan(10);
  }
});

test("an answer that fails by the request itself is not asked for again", async () => {
  for (const [code, error] of [
    ["invalid_prompt", "model_rejected"],
    ["image_content_policy_violation", "model_rejected"],
    ["insufficient_quota", "model_spend_limit"],
  ] as const) {
    const { simulator, model } = await startModel({ turns: [failed(code)] }, { clock, maxRetries: 3 });
    await expect(responseOf(model, requestOf([userText("go")]))).rejects.toMatchObject({
      code: error,
      message: expect.stringContaining(`because of ${code}`),
    });
    expect(simulator.requests).toHaveLength(1);
  }
});

test("an error in the stream is understood in both of its forms", async () => {
  const flat = { type: "error", code: "rate_limit_exceeded", message: "slow down" };
  const nested = { type: "error", error: { type: "server_error", code: null, message: "slow down" } };
  const wrong = { type: "error", error: { type: "invalid_request_error", message: "slow down" } };
  for (const [event, code] of [
    [flat, "model_rate_limited"],
    [nested, "model_bad_response"],
    [wrong, "model_rejected"],
  ] as const) {
    await expect(responseOf(modelAnswered([event]), requestOf([userText("go")]))).rejects.toMatchObject({
      code,
      message: expect.stringContaining("slow down"),
    });
  }
});

test("a conversation that does not fit and a model that is not there are told in the API's words", async () => {
  const small = await startModel({ contextTokens: 10 });
  await expect(responseOf(small.model, requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_rejected",
    message: expect.stringContaining("Your input exceeds the context window of this model."),
  });
  const message = "The requested model 'gpt-9' does not exist.";
  const fault = { type: "refused", status: 400, kind: "invalid_request_error", message } as const;
  const { model } = await startModel({ turns: [{ fault }] });
  await expect(responseOf(model, requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_unknown",
    message: expect.stringContaining(message),
  });
});

test("an answer cut before its end is no answer", async () => {
  await expect(responseOf(modelAnswered([]), requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_bad_response",
    message: "The answer broke off before its end.",
  });
});
