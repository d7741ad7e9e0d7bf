import { afterEach, expect, test } from "vitest";
import { errorWords, isSpendLimit, requestHint } from "../../../src/models/gemini/errors.ts";
import type { SimulatedGeminiStep } from "../../../src/testing/gemini/turns.ts";
import type { Message } from "../../../src/types/message.ts";
import { catalogTool, eventsOf, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, modelAt, startModel } from "./start.ts";

afterEach(closeAll);

const refused = (message: string): SimulatedGeminiStep => ({
  fault: { type: "refused", status: 400, kind: "INVALID_ARGUMENT", message },
});

test("a quota of a minute is waited for as long as the body says, and one of a day is not", () => {
  const body = (quotaId: string): object => ({
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      message: "You exceeded your current quota.",
      details: [{ violations: [{ quotaId }] }, { retryDelay: "3.5s" }],
    },
  });
  const minute = errorWords([body("GenerateRequestsPerMinutePerProjectPerModel")]);
  expect(minute).toMatchObject({ type: "RESOURCE_EXHAUSTED", retryAfterMs: 3_500 });
  const day = errorWords(body("GenerateRequestsPerDayPerProjectPerModel-FreeTier"));
  expect([minute, day].map((words) => words !== null && isSpendLimit(words))).toEqual([false, true]);
  expect(isSpendLimit({ text: "Quota exceeded for metric: x, limit: 0, model: y", code: "", type: "" })).toBe(
    true,
  );
  for (const other of [null, 3, "x", {}, { error: 1 }, [[]]]) expect(errorWords(other)).toBeNull();
});

test("a model that is not there is told in the API's words, and a key by the variable that it is from", async () => {
  const { simulator } = await startModel({ turns: [{ fault: { type: "unauthorized" } }] });
  const unknown = modelAt(simulator.url, { name: "nothing" });
  await expect(responseOf(unknown, requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_unknown",
    message: expect.stringContaining("models/nothing is not found"),
  });
  await expect(responseOf(modelAt(simulator.url), requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_auth",
    message: expect.stringContaining("Check GEMINI_API_KEY."),
  });
});

test("the key is in a header, and in no record of a request", async () => {
  const { simulator, model } = await startModel({ turns: [{ parts: [{ text: "a" }] }] });
  await responseOf(model, requestOf([userText("go")]));
  expect(simulator.requests[0]?.headers["x-goog-api-key"]).toBe("present");
  expect(JSON.stringify(simulator.requests)).not.toContain("AIza-test");
});

test("a base URL may end with the version", async () => {
  const { simulator } = await startModel({ turns: [{ parts: [{ text: "a" }] }] });
  await responseOf(modelAt(`${simulator.url}/v1beta/`), requestOf([userText("go")]));
  expect(simulator.requests[0]?.path).toBe("/v1beta/models/gemini-3-pro:streamGenerateContent");
});

test("a tool that the API refuses is left out, and the conversation goes on", async () => {
  const words =
    "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].items: missing field.\n";
  const { simulator, model } = await startModel({ turns: [refused(words), { parts: [{ text: "a" }] }] });
  const snapshot = snapshotOf(catalogTool("one", { type: "object" }), catalogTool("two", { type: "object" }));
  const events = await eventsOf(model, requestOf([userText("go")], { snapshot }));
  expect(events.find(({ type }) => type === "warning")).toMatchObject({ code: "tool_quarantined" });
  const names = simulator.requests.map(({ text }) => text.includes("files__two"));
  expect(names).toEqual([true, false]);
});

test("a tool is named to the person by its place or its name", () => {
  const tools = [catalogTool("one", {}), catalogTool("two", {})];
  const encoded = { tools, bytes: new Uint8Array(), leftOut: [], restore: (_: string, json: string) => json };
  expect(requestHint("tools[0].function_declarations[1].name: bad", encoded)).toContain('"two"');
  expect(requestHint("Duplicate function declaration found: files__one", encoded)).toContain('"one"');
  expect(requestHint("tools[0].function_declarations[9].name: bad", encoded)).toBe("");
});

test.each([
  "Corrupted thought signature.",
  "Invalid JSON payload received. Unknown name \"later\" at 'contents[1].parts[0]': Cannot find field.",
])("parts that the API does not take back are not sent again: %s", async (words) => {
  const { simulator, model } = await startModel({
    turns: [
      { parts: [{ functionCall: { name: "files__read" } }] },
      refused(words),
      { parts: [{ text: "ok" }] },
    ],
  });
  const { message } = await responseOf(model, requestOf([userText("go")]));
  const [block] = message.content;
  const results: Message = {
    role: "user",
    content: [
      {
        type: "tool_result",
        callId: block?.type === "tool_call" ? block.id : "",
        isError: false,
        content: [],
      },
    ],
  };
  await responseOf(model, requestOf([userText("go"), message, results]));
  expect(simulator.requests[2]?.text).toContain("skip_thought_signature_validator");
});

test("images that cannot be processed are replaced by a text that says so", async () => {
  const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const { simulator, model } = await startModel({ turns: [{ parts: [{ text: "ok" }] }] });
  await responseOf(model, requestOf([{ role: "user", content: [{ type: "text", text: "look" }, image] }]));
  expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200]);
  expect(simulator.requests[1]?.text).toContain("refused this image");
});
