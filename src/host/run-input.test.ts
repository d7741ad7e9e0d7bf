import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { scriptedModel } from "../testing/index.ts";
import type { RunInput } from "../types/host.ts";
import { readRunInput } from "./run-input.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const unusable: readonly [string, unknown][] = [
  ["nothing", ""],
  ["white space", " \n"],
  ["no blocks", []],
  ["blocks of white space", [{ type: "text", text: "\n" }]],
  ["null", null],
  ["a number", 5],
  ["an unknown block", [{ type: "video", data: "" }]],
  ["a text that is none", [{ type: "text", text: 5 }]],
  ["an image that is none", [{ type: "image", mediaType: "image/png", data: "!!" }]],
  ["an image without data", [{ type: "image", mediaType: "image/png" }]],
];

test.each(unusable)(
  "%s is no input: the run fails and the conversation goes on without it",
  async (_, input) => {
    const model = scriptedModel([{ text: "hello" }]);
    await using host = createHost({ servers: {}, model, state: false, audit: false });
    const conversation = host.conversation();
    const failed = await conversation.run(input as RunInput).result;
    expect(failed.stop).toMatchObject({ type: "failed", error: { code: "input_invalid" } });
    expect(failed.messages).toEqual([]);
    expect((await conversation.run("hi").result).stop).toEqual({ type: "answered" });
  },
);

test("an image is sent as what its bytes are", () => {
  const input = [{ type: "image", mediaType: "image/jpeg", data: png }];
  expect(readRunInput(input).content).toEqual([{ type: "image", mediaType: "image/png", data: png }]);
});
