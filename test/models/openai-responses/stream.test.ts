import { expect, test } from "vitest";
import { eventsOf, requestOf, responseOf, userText } from "../anthropic/requests.ts";
import { modelAnswered } from "./start.ts";

const request = requestOf([userText("go")]);

const message = (text: string, id = "msg_1") => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "files__read" };
const done = (response: object = {}, type = "response.completed") => ({
  type,
  response: { status: type.slice("response.".length), output: [], ...response },
});
const item = (step: "added" | "done", output_index: number, found: object) => ({
  type: `response.output_item.${step}`,
  output_index,
  item: found,
});

test("events that nobody knows, a repeated end and sequence numbers out of order change nothing", async () => {
  const model = modelAnswered([
    { type: "response.created", response: { id: "resp_1" }, sequence_number: 9 },
    { type: "response.future_event", output_index: 0, sequence_number: 3 },
    { type: "keepalive" },
    item("added", 0, message("")),
    { type: "response.content_part.added", output_index: 0, part: { type: "output_text", text: "" } },
    { type: "response.output_text.delta", output_index: 0, delta: "hello", obfuscation: "xxxxx" },
    { type: "response.output_text.annotation.added", output_index: 0, annotation: {} },
    item("done", 0, message("hello")),
    done(),
  ]);
  const events = await eventsOf(model, request);
  expect(events.map(({ type }) => type)).toEqual(["text_delta", "response"]);
  expect(await responseOf(model, request)).toMatchObject({
    message: { content: [{ type: "text", text: "hello" }] },
    stopReason: "end_turn",
    rawStopReason: "completed",
  });
});

test("items that the stream did not finish are those of the response", async () => {
  const whole = { ...call, arguments: '{"path":"a"}', status: "completed" };
  const model = modelAnswered([
    item("added", 0, { ...call, arguments: "" }),
    { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"path":' },
    { type: "response.function_call_arguments.delta", output_index: 0, delta: '"a"}' },
    done({ output: [whole, message("and text")] }),
  ]);
  const { message: turn } = await responseOf(model, request);
  expect(turn.content).toEqual([
    { type: "tool_call", id: "call_1", name: "files__read", input: '{"path":"a"}' },
    { type: "text", text: "and text" },
  ]);
  expect(JSON.parse(turn.native?.json ?? "")).toEqual([whole, message("and text")]);
});

test("a server that tells neither items' ends nor the output is understood by its deltas", async () => {
  const model = modelAnswered([
    item("added", 0, { type: "message", role: "assistant", content: [] }),
    { type: "response.output_text.delta", output_index: 0, delta: "so " },
    { type: "response.output_text.delta", output_index: 0, delta: "far" },
    item("added", 1, call),
    { type: "response.function_call_arguments.delta", output_index: 1, delta: "{}" },
    { type: "response.completed", response: {} },
  ]);
  const { message: turn, stopReason } = await responseOf(model, request);
  expect(turn.content).toEqual([
    { type: "text", text: "so far" },
    { type: "tool_call", id: "call_1", name: "files__read", input: "{}" },
  ]);
  expect(stopReason).toBe("tool_use");
});

test("arguments that are told only once they are whole are shown once", async () => {
  const whole = { ...call, arguments: '{"path":"a"}' };
  for (const events of [
    [
      item("added", 0, call),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: whole.arguments },
    ],
    [item("added", 0, call)],
  ]) {
    const model = modelAnswered([...events, item("done", 0, whole), done()]);
    const shown = (await eventsOf(model, request)).filter(({ type }) => type === "tool_input_delta");
    expect(shown).toEqual([
      { type: "tool_input_delta", callId: "call_1", name: "files__read", json: '{"path":"a"}' },
    ]);
  }
});

test("reasoning is shown as thinking, its parts apart, in a summary or in full", async () => {
  const part = (summary_index: number) => ({
    type: "response.reasoning_summary_part.added",
    output_index: 0,
    summary_index,
  });
  const delta = (type: string, text: string) => ({ type, output_index: 0, delta: text });
  const model = modelAnswered([
    item("added", 0, { type: "reasoning", id: "rs_1", summary: [] }),
    part(0),
    delta("response.reasoning_summary_text.delta", "one"),
    part(1),
    delta("response.reasoning_summary_text.delta", "two"),
    delta("response.reasoning_text.delta", "!"),
    item("done", 0, {
      type: "reasoning",
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "one" },
        { type: "summary_text", text: "two" },
      ],
    }),
    item("done", 1, message("hi")),
    done(),
  ]);
  const events = await eventsOf(model, request);
  const shown = events.map((event) => (event.type === "thinking_delta" ? event.text : "")).join("");
  expect(shown).toBe("one\n\ntwo!");
  const last = events.at(-1);
  expect(last?.type === "response" && last.response.message.content[0]).toEqual({
    type: "thinking",
    text: "one\n\ntwo",
  });
});

test("the end of an answer says how it ended; calls decide, but for one that was cut or refused", async () => {
  const cut = { incomplete_details: { reason: "max_output_tokens" } };
  const filtered = { incomplete_details: { reason: "content_filter" } };
  const refusal = { ...message(""), content: [{ type: "refusal", refusal: "Not that." }] };
  const ends: readonly (readonly [object, object, string, string])[] = [
    [{ ...call, arguments: "{}" }, done(), "tool_use", "completed"],
    [{ ...call, arguments: "{" }, done(cut, "response.incomplete"), "max_tokens", "max_output_tokens"],
    [message("x"), done(filtered, "response.incomplete"), "refusal", "content_filter"],
    [refusal, done(), "refusal", "completed"],
    [message("x"), done({}, "response.cancelled"), "other", "cancelled"],
    [message("x"), done({ incomplete_details: { reason: "new" } }, "response.incomplete"), "other", "new"],
  ];
  for (const [found, end, stopReason, rawStopReason] of ends) {
    const response = await responseOf(modelAnswered([item("done", 0, found), end]), request);
    expect([response.stopReason, response.rawStopReason]).toEqual([stopReason, rawStopReason]);
    expect(response.refusal).toBe(found === refusal ? "Not that." : undefined);
  }
});

test("keys of the prototype's names in an item are its own members", async () => {
  const hostile = JSON.parse('{"type":"message","__proto__":{"x":1},"content":[{"text":"hi"}]}') as object;
  const { message: turn } = await responseOf(
    modelAnswered([item("done", 0, hostile), item("done", 1, { type: "constructor" }), done()]),
    request,
  );
  expect(turn.content).toEqual([{ type: "text", text: "hi" }]);
});
