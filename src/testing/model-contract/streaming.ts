import assert from "node:assert/strict";
import type { JsonObject } from "../../types/json.ts";
import type { ModelEvent } from "../../types/model.ts";
import type { ContractBehaviour } from "./contract.ts";
import { ask, lastSeen, requestOf, resultsFor, snapshotOf, toolOf, userText, withModel } from "./fixtures.ts";
import type { ContractSetup } from "./setup.ts";

const words = "Ein Gedicht über 猫 und 🙂, in zwei Zeilen.\nHier ist die zweite.";

function joined(events: readonly ModelEvent[], type: "text_delta" | "thinking_delta"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

/** How answers are read. */
export function streamingBehaviours(setup: ContractSetup): ContractBehaviour[] {
  const broken = setup.argumentsAreObjects === true ? [] : brokenArgumentBehaviours(setup);
  return [...textBehaviours(setup), ...argumentBehaviours(setup), ...broken, ...namingBehaviours(setup)];
}

/** How text is read. */
function textBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "text comes in deltas, in order, however the stream is cut into pieces",
      run: () =>
        withModel(setup, { steps: [{ text: words }], fragmentBytes: 3 }, async (started) => {
          const { events, response } = await ask(started, requestOf([userText("go")]));
          assert.ok(events.filter(({ type }) => type === "text_delta").length > 1, "more than one delta");
          assert.equal(joined(events, "text_delta"), words);
          assert.deepEqual(response.message.content, [{ type: "text", text: words }]);
          assert.equal(response.stopReason, "end_turn");
          assert.equal(response.usage.requests, 1);
          assert.ok(response.usage.inputTokens > 0 && response.usage.outputTokens > 0, "tokens are counted");
        }),
    },
  ];
}

/** How the arguments of calls are read. */
function argumentBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "the arguments of a call keep their exact text: duplicate keys and large numbers are not smoothed over",
      run: async () => {
        const input = '{"n": 12345678901234567890, "path": "a", "path": "b", "t": "\\u00e9"}';
        const steps = [{ calls: [{ name: "files__read", input }] }];
        await withModel(setup, { steps }, async (started) => {
          const { events, response } = await ask(started, requestOf([userText("go")]));
          const [call] = response.message.content;
          assert.ok(call?.type === "tool_call", "a call");
          assert.deepEqual([call.name, call.input], ["files__read", input]);
          assert.equal(response.stopReason, "tool_use");
          const shown = events.flatMap((event) => (event.type === "tool_input_delta" ? [event] : []));
          assert.equal(shown.map(({ json }) => json).join(""), input);
          assert.ok(shown.every(({ callId, name }) => callId === call.id && name === call.name));
        });
      },
    },
    {
      name: "no arguments at all are an empty object",
      run: () =>
        withModel(setup, { steps: [{ calls: [{ name: "files__read", input: "" }] }] }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          assert.deepEqual(
            response.message.content.map((block) => block.type === "tool_call" && block.input),
            ["{}"],
          );
        }),
    },
    {
      name: "a call that was cut at the token limit is told as cut",
      run: async () => {
        const steps = [{ calls: [{ name: "files__read", input: '{"path": "a' }], cut: true }];
        await withModel(setup, { steps }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          assert.equal(response.stopReason, "max_tokens");
        });
      },
    },
  ];
}

/** How arguments are read that are no JSON. */
function brokenArgumentBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "arguments that are no JSON are a call with their raw text, and the conversation goes on",
      run: async () => {
        const input = '{"path": "/tmp/a", "content": "hello wor';
        const steps = [{ calls: [{ name: "files__read", input }] }, { text: "done" }];
        await withModel(setup, { steps }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")]));
          const [call] = response.message.content;
          assert.ok(call?.type === "tool_call" && call.input === input, "the raw text");
          await ask(started, requestOf([userText("go"), response.message, resultsFor(response.message)]));
        });
      },
    },
  ];
}

/** How ids and property keys are told apart. */
function namingBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "ids that a model uses twice are told apart, in one turn and across turns",
      run: async () => {
        const call = { id: "call00000", name: "files__read", input: "{}" };
        const steps = [{ calls: [call, call] }, { calls: [call] }, { text: "done" }];
        await withModel(setup, { steps }, async (started) => {
          const messages = [userText("go")];
          for (let turn = 0; turn < 3; turn += 1) {
            const { response } = await ask(started, requestOf(messages));
            messages.push(response.message);
            if (turn < 2) messages.push(resultsFor(response.message));
          }
          const seen = lastSeen(setup, started);
          const ids = seen.flatMap((message) => (message.role === "assistant" ? message.callIds : []));
          assert.equal(ids.length, 3);
          assert.equal(new Set(ids).size, 3);
        });
      },
    },
    {
      name: "property keys that the API does not take are renamed, and come back under their own names",
      run: async () => {
        const key = "start time<";
        const schema: JsonObject = {
          type: "object",
          properties: { [key]: { type: "string" } },
          required: [key],
        };
        const snapshot = snapshotOf(toolOf("list", schema));
        const calls = (input: string) => [{ name: "files__list", input }];
        let sent = "";
        await withModel(setup, { steps: [{ text: "first" }] }, async (started) => {
          await ask(started, requestOf([userText("go")], { snapshot }));
          // Whatever name the request gave the key, the model answers with it.
          sent = /"required":\["((?:[^"\\]|\\.)*)"\]/.exec(started.requests[0]?.text ?? "")?.[1] ?? key;
        });
        await withModel(setup, { steps: [{ calls: calls(`{"${sent}": "now"}`) }] }, async (started) => {
          const { response } = await ask(started, requestOf([userText("go")], { snapshot }));
          const [call] = response.message.content;
          assert.equal(call?.type === "tool_call" ? call.input : "", `{"${key}": "now"}`);
        });
      },
    },
  ];
}
