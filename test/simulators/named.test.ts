import { afterEach, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import {
  fakeServer,
  type NeutralStep,
  namedSimulators,
  readScript,
  textTool,
} from "../../src/testing/index.ts";
import type { RunResult } from "../../src/types/events.ts";

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
});

/** A model of each API, by the name that a person gives. */
const models: readonly (readonly [simulator: string, model: string])[] = [
  ["anthropic", "anthropic/claude-opus-5"],
  ["openai-responses", "openai/gpt-5"],
  ["openai-chat", "openai-chat/gpt-4.1"],
  ["gemini", "gemini/gemini-3-pro"],
];

/** Runs one question by what the simulator says that a program needs, and gives its statuses. */
async function run(
  name: string,
  model: string,
  steps: readonly NeutralStep[],
): Promise<{ readonly result: RunResult; readonly statuses: readonly number[] }> {
  const named = namedSimulators[name];
  if (named === undefined) throw new Error(`There is no simulator ${name}.`);
  const simulator = await named.start({ steps });
  Object.assign(process.env, named.variables(simulator.url));
  try {
    const server = fakeServer([textTool("read", (args) => `read ${JSON.stringify(args)}`)]);
    await using host = createHost({
      servers: { fs: server.config },
      model,
      policy: { rules: ["allow */*"] },
      state: false,
      audit: false,
    });
    const result = await host.run("go").result;
    simulator.assertDone();
    return { result, statuses: simulator.requests.map(({ status }) => status) };
  } finally {
    await simulator.close();
  }
}

test("every simulator has its name and a model that asks it", () => {
  expect(models.map(([name]) => name).sort()).toEqual(Object.keys(namedSimulators).sort());
});

test.each(models)(
  "%s plays the same script: thinking, a call, an overload, an answer",
  async (name, model) => {
    const steps = readScript(
      JSON.stringify([
        { thinking: "Which?", text: "I look.", calls: [{ name: "fs__read", input: { path: "a" } }] },
        { fault: { type: "overloaded" } },
        { text: "It says 42." },
      ]),
    );
    const { result, statuses } = await run(name, model, steps);
    expect(result).toMatchObject({ stop: { type: "answered" }, text: "It says 42.", calls: 1 });
    expect(statuses.map((status) => status === 200)).toEqual([true, false, true]);
    const results = result.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? block.content : [])),
    );
    expect(results).toEqual([{ type: "text", text: 'read {"path":"a"}' }]);
  },
);

test.each(models)("%s plays a refusal, and an answer that is cut", async (name, model) => {
  const refused = await run(name, model, [{ refusal: "Not that." }]);
  expect(refused.result.stop).toMatchObject({ type: "refused" });
  const cut = await run(name, model, [{ text: "half", cut: true }, { text: "whole" }]);
  expect(cut.result).toMatchObject({ stop: { type: "answered" }, text: "whole" });
});
