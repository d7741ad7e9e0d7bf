import { afterEach, expect, test } from "vitest";
import type { AnthropicSimulator } from "../../../src/testing/anthropic/simulator.ts";
import type { SimulatedStep } from "../../../src/testing/anthropic/turns.ts";
import type { AssistantMessage, ImageBlock, Message, ToolResultBlock } from "../../../src/types/message.ts";
import type { ModelEvent } from "../../../src/types/model.ts";
import { png } from "../../support/images.ts";
import {
  catalogTool,
  eventsOf,
  requestOf,
  requestsTold,
  responseOf,
  snapshotOf,
  userText,
} from "./requests.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(closeAll);

const answer: SimulatedStep = { content: [{ type: "text", text: "ok" }] };

function refused(message: string, details?: Record<string, unknown>): SimulatedStep {
  const kind = "invalid_request_error";
  return {
    fault: { type: "refused", status: 400, kind, message, ...(details === undefined ? {} : { details }) },
  };
}

const image: ImageBlock = { type: "image", mediaType: "image/png", data: png(2, 2).toString("base64") };
const call = { type: "tool_call", id: "c", name: "files__read", input: "{}" } as const;
const called: AssistantMessage = { role: "assistant", content: [call] };
const result = (content: ToolResultBlock["content"]): Message => ({
  role: "user",
  content: [{ type: "tool_result", callId: "c", content, isError: false }],
});

function sentTools(simulator: AnthropicSimulator): unknown[] {
  return simulator.requests.map(({ body }) => (body.tools as { name: string }[]).map(({ name }) => name));
}

function lastContent(simulator: AnthropicSimulator, message: number): unknown {
  const messages = simulator.requests.at(-1)?.body.messages as { content: unknown }[];
  return messages[message]?.content;
}

const warnings = (events: readonly ModelEvent[]): ModelEvent[] =>
  events.filter(({ type }) => type === "warning");

test("a tool that the API refuses is kept out of this conversation, and of no other", async () => {
  const { model, simulator } = await startModel({
    turns: [refused("tools.1.custom.input_schema: JSON schema is invalid."), answer, answer, answer],
  });
  const snapshot = snapshotOf(catalogTool("read", {}), catalogTool("write", {}), catalogTool("list", {}));
  const go = userText("go");
  const events = await eventsOf(model, requestOf([go], { snapshot }));
  expect(warnings(events)).toEqual([
    {
      type: "warning",
      code: "tool_quarantined",
      text: 'The model\'s API refuses the tool "write" of the server "files": this conversation goes on without it.',
    },
  ]);
  expect(events.at(-1)?.type).toBe("response");
  expect(requestsTold(events)).toBe(2);
  await responseOf(model, requestOf([go, called, result([])], { snapshot }));
  await responseOf(model, requestOf([userText("another")], { snapshot }));
  const [all, fewer] = [
    ["files__read", "files__write", "files__list"],
    ["files__read", "files__list"],
  ];
  expect(sentTools(simulator)).toEqual([all, fewer, fewer, all]);
});

test("a block that the API refuses is replaced by a text that says so, then and later", async () => {
  const path = "messages.2.content.0.tool_result.content.1.image.source.base64.data";
  const { model, simulator } = await startModel({
    turns: [refused(`${path}: Image does not match the provided media type`), answer, answer],
  });
  const messages = [userText("go"), called, result([{ type: "text", text: "seen" }, image])];
  const events = await eventsOf(model, requestOf(messages));
  expect(warnings(events)).toMatchObject([{ code: "block_replaced" }]);
  const texts = [
    { type: "text", text: "seen" },
    { type: "text", text: "[Left out: the model's API refused this image.]" },
  ];
  expect(lastContent(simulator, 2)).toMatchObject([{ type: "tool_result", content: texts }]);
  const done: AssistantMessage = { role: "assistant", content: [{ type: "text", text: "done" }] };
  await responseOf(model, requestOf([...messages, done, userText("and?")]));
  expect(lastContent(simulator, 2)).toMatchObject([{ type: "tool_result", content: texts }]);
});

test("every image that the API names as too large is replaced at once", async () => {
  const details = {
    error_code: "image_dimensions_too_large",
    max_side_length_pixels: 2000,
    paths: ["messages.0.content.1", "messages.2.content.0.content.0"],
  };
  const { model, simulator } = await startModel({ turns: [refused("too large", details), answer] });
  const first: Message = { role: "user", content: [{ type: "text", text: "go" }, image] };
  const events = await eventsOf(model, requestOf([first, called, result([image])]));
  expect(warnings(events)).toHaveLength(2);
  expect(simulator.requests[1]?.text).not.toContain(image.data);
  expect(simulator.requests[1]?.text.match(/refused this image/g)).toHaveLength(2);
});

test("an image that cannot be read is one of the newest, and these are replaced", async () => {
  const { model, simulator } = await startModel({ turns: [refused("Could not process image"), answer] });
  const first: Message = { role: "user", content: [{ type: "text", text: "go" }, image] };
  await responseOf(model, requestOf([first, called, result([image, image])]));
  expect(simulator.requests[1]?.text.match(/refused this image/g)).toHaveLength(2);
});

test("a turn that does not go back as the model wrote it is rebuilt", async () => {
  const { model, simulator } = await startModel({
    turns: [
      {
        content: [
          { type: "future_block", x: 1 },
          { type: "tool_use", name: "files__read" },
        ],
      },
      refused("messages.1.content.0.future_block.x: Extra inputs are not permitted"),
      answer,
    ],
  });
  const go = userText("go");
  const { message } = await responseOf(model, requestOf([go]));
  const [block] = message.content;
  const callId = block?.type === "tool_call" ? block.id : "";
  const answered: Message = {
    role: "user",
    content: [{ type: "tool_result", callId, content: [], isError: false }],
  };
  await responseOf(model, requestOf([go, message, answered]));
  expect(lastContent(simulator, 1)).toMatchObject([{ type: "tool_use", name: "files__read" }]);
});

test("thinking that is bound to a list of tools is left out once the list changed, and the run goes on", async () => {
  const thought = { type: "thinking", thinking: "Which?" };
  const { model, simulator } = await startModel(
    {
      turns: [
        { content: [thought, { type: "text", text: "one" }] },
        { content: [thought, { type: "text", text: "two" }] },
        answer,
      ],
    },
    { name: "claude-fable-5-1" },
  );
  const go = userText("go");
  const { message } = await responseOf(model, requestOf([go]));
  const more = snapshotOf(catalogTool("read", {}), catalogTool("write", {}));
  const messages = [go, message, userText("and?")];
  const events = await eventsOf(model, requestOf(messages, { snapshot: more }));
  expect(warnings(events)).toMatchObject([{ code: "turn_rewritten" }]);
  expect(simulator.requests.map(({ status }) => status)).toEqual([200, 400, 200]);
  const last = events.at(-1);
  const second = last?.type === "response" ? last.response.message : message;
  await responseOf(model, requestOf([...messages, second, userText("so?")], { snapshot: more }));
  expect(simulator.requests.at(-1)?.status).toBe(200);
  expect(lastContent(simulator, 1)).toEqual([{ type: "text", text: "one" }]);
  expect(lastContent(simulator, 3)).toMatchObject([{ type: "thinking" }, { type: "text" }]);
});

test.each([
  ["names nothing", "messages: something is wrong", 1],
  ["names the same tool again", "tools.0.custom.input_schema: something is wrong", 2],
  ["names a place that is not there", "messages.7.content.0: something is wrong", 1],
  ["names its own replacement", "messages.0.content.0.text: something is wrong", 2],
])("a refusal that %s is told", async (_, words, requests) => {
  const { model, simulator } = await startModel({ turns: () => refused(words) });
  await expect(responseOf(model, requestOf([userText("go")]))).rejects.toMatchObject({
    code: "model_rejected",
  });
  expect(simulator.requests).toHaveLength(requests);
});

test("a server that does not know a field of ours is asked without it", async () => {
  const { model, simulator } = await startModel({
    turns: [answer, refused("diagnostics: Extra inputs are not permitted"), answer, answer],
  });
  const go = userText("go");
  const { message } = await responseOf(model, requestOf([go]));
  const later = [go, message, userText("and?")];
  await responseOf(model, requestOf(later));
  await responseOf(model, requestOf(later));
  expect(simulator.requests.map(({ body }) => "diagnostics" in body)).toEqual([false, true, false, false]);
});
