import assert from "node:assert/strict";
import type { AssistantMessage, Message, TextBlock } from "../../types/message.ts";
import type { ContractBehaviour } from "./contract.ts";
import {
  ask,
  lastSeen,
  requestOf,
  resultsFor,
  resultsOf,
  smallImage,
  userText,
  withModel,
} from "./fixtures.ts";
import type { ContractSetup } from "./setup.ts";

const done = { text: "done" };

/** A turn that another API wrote, with ids of its own kind. */
const foreign: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", text: "a secret thought" },
    { type: "text", text: "I will look." },
    { type: "tool_call", id: "call_x|fc:1", name: "files__read", input: '{"path":"a"}' },
    { type: "tool_call", id: `long-${"y".repeat(90)}`, name: "no such tool!", input: "not json" },
  ],
  native: { api: "somewhere", model: "else", json: '[{"type":"thinking","signature":"foreign-signature"}]' },
};

/** How earlier messages are sent. */
export function historyBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [...turnBehaviours(setup), ...resultBehaviours(setup)];
}

/** How turns of models are sent again. */
function turnBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "a turn is replayed byte for byte to the model that wrote it",
      run: async () => {
        const steps = [
          {
            thinking: "Three files.",
            text: "I read it.",
            calls: [{ name: "files__read", input: '{"path": "a"}' }],
          },
          done,
        ];
        await withModel(setup, { steps }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          const { native } = response.message;
          assert.ok(
            native !== undefined && native.api === started.model.api && native.model === started.model.name,
          );
          await ask(started, requestOf([userText("go"), response.message, resultsFor(response.message)]));
          assert.ok(started.requests[1]?.text.includes(native.json.slice(1, -1)), "the same bytes");
        });
      },
    },
    {
      name: "a turn of another model is told again without what only that model can read, with ids this API takes",
      run: () =>
        withModel(setup, { steps: [done] }, async (started) => {
          await ask(started, requestOf([userText("go"), foreign, resultsFor(foreign, "found it")]));
          const seen = lastSeen(setup, started);
          const text = started.requests[0]?.text ?? "";
          assert.ok(!text.includes("a secret thought") && !text.includes("foreign-signature"), "no thinking");
          const [turn] = seen.filter(({ role }) => role === "assistant");
          assert.ok(turn?.role === "assistant" && turn.text.includes("I will look."));
          const answered = seen.flatMap((message) => (message.role === "result" ? [message.callId] : []));
          assert.deepEqual(answered, turn.callIds, "every call has its result");
        }),
    },
  ];
}

/** How results of tools are sent. */
function resultBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "results stand directly behind their turn, in the order of its calls, whatever else the message holds",
      run: async () => {
        const calls = ["a", "b", "c"].map((path) => ({ name: "files__read", input: `{"path":"${path}"}` }));
        await withModel(setup, { steps: [{ calls }, done] }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          const results = resultsFor(response.message);
          const mixed = {
            ...results,
            content: [{ type: "text", text: "by the way" }, ...results.content],
          } as Message;
          await ask(started, requestOf([userText("go"), response.message, mixed]));
          const seen = lastSeen(setup, started);
          const at = seen.findIndex(({ role }) => role === "assistant");
          const turn = seen[at];
          const behind = seen.slice(at + 1, at + 4);
          assert.ok(turn?.role === "assistant" && behind.every(({ role }) => role === "result"));
          assert.deepEqual(
            behind.map((result) => result.role === "result" && result.callId),
            turn.callIds,
          );
          const words = seen.slice(at + 4).map((message) => (message.role === "user" ? message.text : ""));
          assert.ok(words.join("").includes("by the way"));
        });
      },
    },
    {
      name: "an error of a tool is told as one, with its text, and with a text when it has none",
      run: async () => {
        const calls = [1, 2].map(() => ({ name: "files__read", input: "{}" }));
        await withModel(setup, { steps: [{ calls }, done] }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          const [first, second] = response.message.content.filter((block) => block.type === "tool_call");
          const results = resultsOf(
            { callId: first?.id ?? "", isError: true, content: [{ type: "text", text: "no such file" }] },
            { callId: second?.id ?? "", isError: true, content: [] },
          );
          await ask(started, requestOf([userText("go"), response.message, results]));
          const seen = lastSeen(setup, started).filter((message) => message.role === "result");
          assert.ok(seen[0]?.text.includes("no such file"));
          assert.ok((seen[1]?.text ?? "").trim() !== "", "an error without a text gets one");
          for (const { text, isError } of seen)
            assert.ok(setup.errorsAsText ? text.startsWith("ERROR") : isError);
        });
      },
    },
    { name: "images of results are sent as the model's capabilities say", run: () => images(setup) },
    {
      name: "every message is serialised once, and the bytes of a prefix do not change by themselves",
      run: () => serialisedOnce(setup),
    },
  ];
}

async function images(setup: ContractSetup): Promise<void> {
  const calls = [{ name: "files__read", input: "{}" }];
  for (const isError of [false, true]) {
    await withModel(setup, { steps: [{ calls }, done] }, async (started) => {
      const { response } = await ask(started, requestOf([userText("go")]));
      const [call] = response.message.content.filter((block) => block.type === "tool_call");
      const image = { type: "image", mediaType: "image/png", data: smallImage } as const;
      const results = resultsOf({ callId: call?.id ?? "", isError, content: [image] });
      await ask(started, requestOf([userText("go"), response.message, results]));
      const seen = lastSeen(setup, started);
      const count = seen.reduce(
        (sum, message) => sum + (message.role === "assistant" ? 0 : message.images),
        0,
      );
      const { toolResultImages } = started.model.capabilities;
      assert.equal(count, toolResultImages ? 1 : 0);
      assert.equal(started.requests[1]?.text.includes(smallImage), toolResultImages);
      if (!toolResultImages) assert.ok(started.requests[1]?.text.includes("image/png"), "it is described");
    });
  }
}

/** A text that counts how often it is read. */
function counted(text: string): { readonly block: TextBlock; reads(): number } {
  let reads = 0;
  const block = Object.defineProperty({ type: "text" as const }, "text", {
    enumerable: true,
    get() {
      reads += 1;
      return text;
    },
  }) as TextBlock;
  return { block, reads: () => reads };
}

async function serialisedOnce(setup: ContractSetup): Promise<void> {
  await withModel(setup, { steps: [done, done, done] }, async (started) => {
    const first = counted("the first question");
    const messages: Message[] = [{ role: "user", content: [first.block] }];
    await ask(started, requestOf([...messages]));
    const reads = first.reads();
    for (const question of ["two", "three"]) {
      messages.push({ role: "assistant", content: [{ type: "text", text: "fine" }] }, userText(question));
      await ask(started, requestOf([...messages]));
    }
    assert.equal(first.reads(), reads, "it is not read again");
    const seen = started.requests.map((request) =>
      setup.read(request).map((message) => JSON.stringify(message)),
    );
    for (const [index, earlier] of seen.slice(0, -1).entries()) {
      assert.deepEqual(seen[index + 1]?.slice(0, earlier.length), earlier);
    }
  });
}
