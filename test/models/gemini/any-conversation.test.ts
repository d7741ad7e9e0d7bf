import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGeminiSimulator } from "../../../src/testing/gemini/simulator.ts";
import type { SimulatedGeminiPart } from "../../../src/testing/gemini/turns.ts";
import type { Simulator } from "../../../src/testing/wire-server/server.ts";
import type { JsonObject } from "../../../src/types/json.ts";
import type { AssistantMessage, Message, ToolResultBlock } from "../../../src/types/message.ts";
import type { Model } from "../../../src/types/model.ts";
import { catalogTool, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { soundSchema, wildSchema } from "../schemas.ts";
import { modelAt } from "./start.ts";

let simulator: Simulator;
let models: readonly Model[];
let next: readonly SimulatedGeminiPart[] = [];

beforeAll(async () => {
  simulator = await startGeminiSimulator({ turns: () => ({ parts: next }) });
  models = ["gemini-3-pro", "gemini-3.8-flash", "gemini-2.5-pro", "gemini-2.0-flash"].map((name) =>
    modelAt(simulator.url, { name }),
  );
});
afterAll(() => simulator.close());

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("", " ", "🙂", "\ud800", '{"$ref":"#/x"}'),
);
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const shown = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  fc
    .constantFrom("image/png", "image/gif")
    .map((mediaType) => ({ type: "image", mediaType, data: png }) as const),
);
const names = fc.constantFrom("files__a", "_1b", "-", "no such tool!", "__proto__", "");

/** What a Gemini model may answer. */
const part: fc.Arbitrary<SimulatedGeminiPart> = fc.oneof(
  fc.record({ text: words, thought: fc.boolean() }),
  fc.record({
    functionCall: fc.record({
      name: names.filter((name) => name !== ""),
      id: fc.option(fc.constantFrom("same", "fc|1:2", "x".repeat(90)), { nil: undefined }),
      args: fc.constantFrom("{}", '{"a": 12345678901234567890, "__proto__": 1}', '{"a":"\\ud800"}', ""),
    }) as fc.Arbitrary<SimulatedGeminiPart["functionCall"]>,
  }) as fc.Arbitrary<SimulatedGeminiPart>,
);

/** What a model of another API wrote. */
const foreign: fc.Arbitrary<AssistantMessage> = fc
  .array(
    fc.oneof(
      words.map((text) => ({ type: "text" as const, text })),
      words.map((text) => ({ type: "thinking" as const, text })),
      fc.record({
        type: fc.constant("tool_call" as const),
        id: fc.uuid().map((id) => `toolu_${id}|`),
        name: names,
        input: fc.constantFrom("{}", "broken", "[1]", '{"a":1}'),
      }),
    ),
    { maxLength: 3 },
  )
  .map((content) => ({ role: "assistant", content }));

/** What happens in a turn: a Gemini model answers, or another one has. */
const step = fc.record({
  model: fc.nat({ max: 3 }),
  answer: fc.oneof(fc.array(part, { minLength: 1, maxLength: 4 }), foreign),
  results: fc.array(fc.record({ isError: fc.boolean(), content: fc.array(shown, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  said: fc.array(shown, { maxLength: 2 }),
});

/** The message that answers a turn, with its results shuffled by where they are put. */
function reply(
  { content }: AssistantMessage,
  { results, said }: typeof step extends fc.Arbitrary<infer S> ? S : never,
): Message {
  const answers = content.flatMap((block, index): ToolResultBlock[] => {
    const result = results[index % results.length];
    return block.type === "tool_call" && result !== undefined
      ? [{ type: "tool_result", callId: block.id, ...result }]
      : [];
  });
  return { role: "user", content: [...said, ...answers.reverse()] };
}

test("whatever tools, models and results there are, the API refuses nothing, and every call is answered once", async () => {
  const schema = fc
    .oneof(wildSchema, soundSchema)
    .map((one) => JSON.parse(JSON.stringify(one)) as JsonObject);
  await fc.assert(
    fc.asyncProperty(
      fc.array(schema, { maxLength: 3 }),
      fc.array(step, { maxLength: 5 }),
      async (schemas, steps) => {
        const aliases = ["files__a", "1b", "-"];
        const tools = schemas.map((one, index) => catalogTool(`t${index}`, one, aliases[index]));
        const snapshot = snapshotOf(...tools);
        const messages: Message[] = [userText("go")];
        for (const one of steps) {
          const model = models[one.model];
          if (model === undefined) continue;
          let turn: AssistantMessage;
          if (Array.isArray(one.answer)) {
            next = one.answer as readonly SimulatedGeminiPart[];
            turn = (await responseOf(model, requestOf([...messages], { snapshot }))).message;
          } else turn = one.answer as AssistantMessage;
          messages.push(turn, reply(turn, one));
        }
        next = [{ text: "done" }];
        for (const model of models) await responseOf(model, requestOf([...messages], { snapshot }));
        const calls = messages.flatMap((one) =>
          one.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
        );
        expect(new Set(calls).size).toBe(calls.length);
      },
    ),
    { numRuns: 60 },
  );
  expect(simulator.requests.every(({ status }) => status === 200)).toBe(true);
});
