import { afterEach, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import type { SimulatedTurn } from "../../src/testing/anthropic/turns.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { HostOptions } from "../../src/types/config.ts";
import type { RunEvent, RunResult } from "../../src/types/events.ts";
import { closeAll, startModel } from "../models/anthropic/start.ts";
import { runScript } from "../support/run-host.ts";

afterEach(closeAll);

async function run(
  options: Pick<HostOptions, "model" | "fallbackModels" | "servers">,
): Promise<{ readonly events: RunEvent[]; readonly result: RunResult }> {
  await using host = createHost({ policy: { rules: ["allow */*"] }, state: false, audit: false, ...options });
  const running = host.run("go");
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  return { events, result: await running.result };
}

const said = (text: string): SimulatedTurn => ({ content: [{ type: "text", text }] });
const refusal: SimulatedTurn = {
  ...said("Here is how"),
  stop_reason: "refusal",
  stop_details: { type: "refusal", category: "cyber", explanation: "Not that." },
};

test("a reason to stop that nobody knows is told, with or without calls", async () => {
  const server = fakeServer([textTool("t", () => "done")]);
  const odd = { stopReason: "other", rawStopReason: "something_new" } as const;
  const { events, result } = await runScript(
    [
      { calls: [{ name: "s__t" }], ...odd },
      { text: "done", ...odd },
    ],
    {
      servers: { s: server },
    },
  );
  expect(result.stop).toEqual({ type: "answered" });
  expect(events.filter(({ type }) => type === "warning")).toEqual(
    [1, 2].map(() => ({
      type: "warning",
      code: "stop_reason",
      text: 'The model stopped for a reason that is not known here: "something_new".',
    })),
  );
});

test("a refused question goes to the fallback models, and nothing of the refused answer is kept", async () => {
  const server = fakeServer([textTool("t", () => "done")]);
  const first = await startModel({ turns: [refusal] });
  const second = await startModel(
    { turns: [{ content: [{ type: "tool_use", name: "s__t" }] }, said("It is done.")] },
    { name: "claude-opus-4-8" },
  );
  const { events, result } = await run({
    servers: { s: server.config },
    model: first.model,
    fallbackModels: [second.model],
  });
  expect(result.stop).toEqual({ type: "answered" });
  expect(result.text).toBe("It is done.");
  expect(JSON.stringify(result.messages)).not.toContain("Here is how");
  const told = events.filter(({ type }) => type === "turn_revoked" || type === "model_fallback");
  expect(told).toMatchObject([
    { type: "turn_revoked", turn: 1, reason: "the model refused: Not that." },
    { type: "model_fallback", turn: 1, from: "anthropic/claude-opus-5", to: "anthropic/claude-opus-4-8" },
  ]);
  // The turn of tools is finished by the model that began it.
  first.simulator.assertDone();
  second.simulator.assertDone();
});

test("without a fallback, or when all refuse, the run ends as refused", async () => {
  const first = await startModel({ turns: [refusal] });
  expect((await run({ servers: {}, model: first.model })).result.stop).toEqual({
    type: "refused",
    explanation: "Not that.",
  });
  const again = await startModel({ turns: [refusal] });
  const second = await startModel({ turns: [refusal] }, { name: "claude-opus-4-8" });
  const { result } = await run({ servers: {}, model: again.model, fallbackModels: [second.model] });
  expect(result.stop).toMatchObject({ type: "refused" });
  expect(result.usage.requests).toBe(2);
});

test("a fallback that cannot be had is found before anything runs", () => {
  const options = { servers: {}, model: "offline", state: false, audit: false } as const;
  expect(() => createHost({ ...options, fallbackModels: ["no-such-model"] })).toThrow("no-such-model");
});
