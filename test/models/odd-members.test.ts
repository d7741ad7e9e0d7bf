import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createHost } from "../../src/index.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { JsonObject } from "../../src/types/json.ts";

afterEach(() => void vi.unstubAllEnvs());

/** An object that cannot be made a text: it says so itself. */
const odd: unknown = JSON.parse('{"toString":1,"valueOf":1}');

const thinking = { type: "thinking", thinking: "", signature: "" };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "s__t", arguments: "{}" };
const usage = { input_tokens: 1, output_tokens: 2 };

/** An answer of each API that thinks, speaks and calls a tool, event by event. */
const answers: Readonly<Record<string, readonly JsonObject[]>> = {
  "anthropic/claude-opus-5": [
    { type: "message_start", message: { id: "m", role: "assistant", content: [], usage } },
    { type: "content_block_start", index: 0, content_block: thinking },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "t" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "hi" } },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "toolu_1", name: "s__t", input: {} },
    },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "{}" } },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  ],
  "openai-chat/x": [
    { choices: [{ index: 0, delta: { role: "assistant", content: "hi", reasoning_content: "r" } }] },
    {
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: "call_1", function: { name: "s__t", arguments: "{}" } }] },
        },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }], usage: { prompt_tokens: 1 } },
  ],
  "openai-responses/x": [
    { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: "{}" },
    { type: "response.output_item.done", output_index: 0, item: call },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: { type: "message", id: "msg_1", content: [{ type: "output_text", text: "x" }] },
    },
    { type: "response.completed", response: { id: "r", status: "completed", output: [call], usage } },
  ],
  "gemini/gemini-3-pro": [
    {
      candidates: [
        {
          content: { parts: [{ text: "t", thought: true }, { functionCall: { name: "s__t", args: {} } }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 1 },
    },
  ],
};

const refusal = { error: { type: "t", code: "c", message: "m", param: "p", status: "S", details: [{}] } };

/** Every copy in which one member is the odd object, or a list of it. */
function spoiled(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const copies = value.flatMap((item, at) => spoiled(item).map((copy) => value.with(at, copy)));
    return [odd, ...copies];
  }
  if (typeof value !== "object" || value === null) return [odd, [odd]];
  const copies = Object.entries(value).flatMap(([name, member]) =>
    spoiled(member).map((copy) => ({ ...value, [name]: copy })),
  );
  return [odd, ...copies];
}

const stream = "text/event-stream";
const streamOf = (events: readonly unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

test.each(Object.entries(answers))(
  "whatever stands in the place of a member of an answer or an error of %s, no fault of the host is told",
  async (model, events) => {
    for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"])
      vi.stubEnv(name, "key-0123456789");
    let answer = { status: 200, type: "", body: "" };
    const server = createServer((request, response) => {
      request.resume();
      request.on("end", () =>
        response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const told = async (given: typeof answer): Promise<string> => {
      answer = given;
      await using host = createHost({
        servers: { s: fakeServer([textTool("t", () => "ok")]).config },
        model,
        baseUrl,
        policy: { rules: ["allow */*"] },
        state: false,
        audit: false,
        limits: { turns: 2, modelRetries: 0 },
      });
      return JSON.stringify((await host.run("go").result).stop);
    };
    const streams = events.flatMap((event, at) =>
      spoiled(event).map((copy) => streamOf(Object.assign([...events], { [at]: copy }))),
    );
    const answered = [
      ...streams.map((body) => ({ status: 200, type: stream, body })),
      ...spoiled(refusal).map((body) => ({
        status: 400,
        type: "application/json",
        body: JSON.stringify(body),
      })),
    ];
    for (const each of answered)
      expect(await told(each), each.body).not.toMatch(
        /"internal"|primitive|\[object|TypeError|not a function/,
      );
    expect(await told({ status: 200, type: stream, body: streamOf(events) })).toBe(
      '{"type":"turn_limit","limit":2}',
    );
  },
);
