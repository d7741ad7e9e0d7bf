import fc from "fast-check";
import { expect, test } from "vitest";
import { responseFrames } from "../../../src/testing/openai-responses/answer-events.ts";
import { createIssuedItems } from "../../../src/testing/openai-responses/issued-items.ts";
import { completeItems, type SimulatedResponseItem } from "../../../src/testing/openai-responses/turns.ts";
import { validateResponsesRequest } from "../../../src/testing/openai-responses/validate.ts";
import { hasLoneSurrogate } from "../../../src/testing/wire-server/received-request.ts";
import type { HostFetch } from "../../../src/types/fetch.ts";
import type { AssistantMessage, Message } from "../../../src/types/message.ts";
import { catalogTool, requestOf, responseOf, snapshotOf, userText } from "../anthropic/requests.ts";
import { wildSchema } from "../schemas.ts";
import { modelAt } from "./start.ts";

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", " ", "ok", "\ud800", "__proto__", '{"a":1}', "{", "x".repeat(80)),
);
const idOf = (prefix: string) =>
  fc.option(fc.oneof(words, fc.constantFrom(`${prefix}_1`, `${prefix}_2`, `${prefix}_x_`, "call_1")), {
    nil: undefined,
  });

/** Leaves out members without a value. */
const whole = <T extends object>(item: fc.Arbitrary<T>): fc.Arbitrary<SimulatedResponseItem> =>
  item.map((found) => JSON.parse(JSON.stringify(found)) as SimulatedResponseItem);

const item: fc.Arbitrary<SimulatedResponseItem> = fc.oneof(
  whole(
    fc.record({
      type: fc.constant("reasoning"),
      id: idOf("rs"),
      summary: fc.array(words, { maxLength: 2 }),
      encrypted_content: fc.option(fc.base64String(), { nil: undefined }),
    }),
  ),
  whole(fc.record({ type: fc.constant("message"), id: idOf("msg"), text: words })),
  whole(
    fc.record({
      type: fc.constant("function_call"),
      id: idOf("fc"),
      call_id: fc.option(words, { nil: undefined }),
      name: fc.oneof(words, fc.constant("files__read")),
      arguments: words,
    }),
  ),
);

const part = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  fc.constantFrom("", "iVBORw0KGgo=").map((data) => ({
    type: "image" as const,
    mediaType: "image/png" as const,
    data,
  })),
);

/** A turn that another model wrote. */
const foreign: fc.Arbitrary<AssistantMessage> = fc
  .array(
    fc.oneof(
      words.map((text) => ({ type: "text" as const, text })),
      words.map((text) => ({ type: "thinking" as const, text })),
      fc.record({ type: fc.constant("tool_call" as const), id: words, name: words, input: words }),
    ),
    { maxLength: 3 },
  )
  .map((content) => ({ role: "assistant", content, native: { api: "elsewhere", model: "m", json: "[]" } }));

/** Ids are unique in a transcript. */
function withIds({ content, ...rest }: AssistantMessage, step: number): AssistantMessage {
  const unique = content.map((block, at) =>
    block.type === "tool_call" ? { ...block, id: `${block.id}#${step}-${at}` } : block,
  );
  return { ...rest, content: unique };
}

const step = fc.record({
  output: fc.array(item, { maxLength: 5 }),
  incomplete: fc.boolean(),
  result: fc.array(part, { maxLength: 3 }),
  isError: fc.boolean(),
  said: fc.array(part, { maxLength: 2 }),
  foreign: fc.option(foreign, { nil: null }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The API in this process: its rules, and the answers of a script. What it refuses is noted. */
function playedBy(steps: readonly Step[], refused: unknown[]): HostFetch {
  const issued = createIssuedItems();
  let minted = 0;
  let asked = 0;
  return async (_, init) => {
    const text = new TextDecoder().decode(init?.body as Uint8Array);
    const body: unknown = JSON.parse(text);
    const refusal = hasLoneSurrogate(text)
      ? { message: "half a character" }
      : validateResponsesRequest(body, { issued });
    if (refusal !== null) refused.push([refusal, body]);
    const { output, incomplete } = steps[asked] ?? { output: [], incomplete: false };
    asked += 1;
    const next = (): number => {
      minted += 1;
      return minted;
    };
    const turn = { output, ...(incomplete ? { incomplete: "max_output_tokens" as const } : {}) };
    const items = completeItems(turn, { next, issued, encrypted: true });
    issued.issue(items);
    const end = { status: incomplete ? "incomplete" : "completed" };
    const frames = responseFrames({ response: {}, items, end, obfuscated: false }, 5);
    return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
  };
}

function resultsFor({ content }: AssistantMessage, { result, isError, said }: Step): Message {
  const results = content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ type: "tool_result" as const, callId: block.id, isError, content: result }]
      : [],
  );
  return { role: "user", content: [...results, ...said] };
}

test("whatever the model wrote, tools answered and schemas say, no request is refused", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 4 }),
      fc.array(wildSchema, { maxLength: 2 }),
      async (steps, schemas) => {
        const refused: unknown[] = [];
        const model = modelAt("http://127.0.0.1:1/v1", { fetch: playedBy(steps, refused) });
        const tools = schemas.map((schema, index) => catalogTool(`t${index}`, schema));
        const snapshot = snapshotOf(catalogTool("read", { type: "object" }), ...tools);
        const messages: Message[] = [userText("go")];
        for (const [index, one] of [...steps, null].entries()) {
          const { message } = await responseOf(model, requestOf(messages, { snapshot }));
          if (one === null) break;
          messages.push(message, resultsFor(message, one));
          const other = one.foreign === null ? null : withIds(one.foreign, index);
          if (other !== null) messages.push(other, resultsFor(other, one));
        }
        expect(refused).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});
