import { afterEach, expect, test } from "vitest";
import type { SimulatedResponseStep } from "../../../src/testing/openai-responses/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { Message } from "../../../src/types/message.ts";
import type { ModelEvent, ModelRequest } from "../../../src/types/model.ts";
import { catalogTool, eventsOf, requestOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { closeAll, says, startModel } from "./start.ts";

afterEach(closeAll);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const refusal = (message: string): SimulatedResponseStep => ({
  fault: { type: "refused", status: 400, kind: "invalid_request_error", message },
});
const done: SimulatedResponseStep = { output: [says("done")] };
const image = { type: "image", mediaType: "image/png", data: png } as const;

/** Asks of an API that refuses once; what the repairs say, and the two requests. */
async function repaired(
  message: string,
  request: ModelRequest,
): Promise<{ events: readonly ModelEvent[]; codes: string[]; simulator: Simulator; input: unknown }> {
  const { simulator, model } = await startModel({ turns: [refusal(message), done] });
  const events = await eventsOf(model, request);
  const codes = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  simulator.assertDone();
  return { events, codes, simulator, input: simulator.requests[1]?.body.input };
}

test("a tool that the API refuses by its name or place is kept out of the conversation", async () => {
  const snapshot = snapshotOf(
    catalogTool("good", { type: "object" }),
    catalogTool("bad", { type: "object" }),
  );
  for (const words of [
    "Invalid schema for function 'files__bad': something new.",
    "Invalid 'tools[1].description': something new.",
  ]) {
    const { codes, simulator } = await repaired(words, requestOf([userText("go")], { snapshot }));
    expect(codes).toEqual(["tool_quarantined"]);
    expect(simulator.requests[1]?.body.tools).toMatchObject([{ name: "files__good" }]);
  }
});

const call = { type: "tool_call", id: "call_1", name: "files__read", input: "{}" } as const;
const shown: readonly Message[] = [
  { role: "user", content: [{ type: "text", text: "look" }, image] },
  { role: "assistant", content: [{ type: "text", text: "I look." }, call] },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        callId: "call_1",
        isError: false,
        content: [{ type: "text", text: "a" }, image],
      },
      { type: "text", text: "b" },
    ],
  },
];

test("a part of a message or of a result that the API refuses is replaced by a text that says so", async () => {
  const left = expect.stringContaining("Left out: the model's API refused this image");
  const first = await repaired("Invalid 'input[0].content[1].image_url'. Something.", requestOf(shown));
  expect(first.codes).toEqual(["block_replaced"]);
  expect(first.input).toMatchObject([{ content: [{ text: "look" }, { text: left }] }, {}, {}, {}, {}]);
  const second = await repaired("Invalid 'input[3].output[1].image_url'. Something.", requestOf(shown));
  expect(second.input).toMatchObject([{}, {}, {}, { output: left }, {}]);
  const third = await repaired(
    "The image data you provided does not represent a valid image.",
    requestOf(shown),
  );
  expect(third.input).toMatchObject([
    { content: [{}, { type: "input_image" }] },
    {},
    {},
    { output: left },
    {},
  ]);
});

test("a result or a text that the API refuses whole is replaced whole", async () => {
  const result = await repaired("Invalid 'input[3].output': something.", requestOf(shown));
  expect(result.input).toMatchObject([
    {},
    {},
    {},
    { output: expect.stringContaining("refused this result") },
    {},
  ]);
  const text = await repaired("Invalid 'input[4].content[0].text': something.", requestOf(shown));
  expect(text.input).toMatchObject([
    {},
    {},
    {},
    {},
    { content: [{ text: expect.stringContaining("refused this text") }] },
  ]);
});

test("reasoning that the API does not take back is left out, and the conversation goes on", async () => {
  for (const words of [
    "The encrypted content gAAA...Rg== could not be verified.",
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  ]) {
    const { simulator, model } = await startModel({
      turns: [
        { output: [{ type: "reasoning" }, { type: "function_call", name: "files__read" }] },
        refusal(words),
        done,
      ],
    });
    const events = await eventsOf(model, requestOf([userText("go")]));
    const last = events.at(-1);
    if (last?.type !== "response") throw new Error("There is a response.");
    const { message } = last.response;
    const id = message.content.find((block) => block.type === "tool_call")?.id ?? "";
    const results: Message = {
      role: "user",
      content: [{ type: "tool_result", callId: id, isError: false, content: [] }],
    };
    const next = await eventsOf(model, requestOf([userText("go"), message, results]));
    expect(next.filter(({ type }) => type === "warning")).toMatchObject([{ code: "turn_rewritten" }]);
    expect(simulator.requests[1]?.text).toContain('encrypted_content":');
    expect(simulator.requests[2]?.text).not.toContain('encrypted_content":');
  }
});

test("a model that turns out not to reason is not asked for its reasoning again", async () => {
  const { simulator, model } = await startModel({
    turns: [refusal("Encrypted content is not supported with this model."), done, done],
  });
  const events = await eventsOf(model, requestOf([userText("go")]));
  expect(events.filter(({ type }) => type === "warning")).toMatchObject([{ code: "request_field_dropped" }]);
  await eventsOf(model, requestOf([userText("another conversation")]));
  const asked = simulator.requests.map(({ body }) => body.include !== undefined);
  expect(asked).toEqual([true, false, false]);
});

test("a refusal that names nothing new is told", async () => {
  const { model } = await startModel({ turns: [refusal("Invalid 'input[9]'."), done] });
  await expect(eventsOf(model, requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_rejected",
  });
});
