import { expect, test } from "vitest";
import type { SimulatedTurn } from "../src/testing/anthropic/turns.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import type { Message } from "../src/types/message.ts";
import { lastTurn, startCase, startModel } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";
import { newestResults } from "./support/wire.ts";

const named = (one: Case) => [one.id, one.kind, one] as const;
const tools = [{ name: "t", description: "t", inputSchema: { type: "object" } }];
const listed = { "tools/list": { result: { tools } } };

test.each(runnable("history-build").map(named))("%s %s", async (_id, _kind, one) => {
  const turn = one.modelTurn as SimulatedTurn;
  const ids = turn.content.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : []));
  const given = membersOf(one.results);
  const steps = ids.map((id) => {
    const { afterMs, content } = membersOf(given[id]);
    return { delayMs: Number(afterMs), result: { content } };
  });
  const script = { ...listed, "tools/call": { inTurn: steps } };
  await using anthropic = await startModel([turn, lastTurn]);
  await using started = await startCase({ s: { plays: { type: "server", script } } }, anthropic.model);
  expect((await started.host.run("go on").result).stop).toEqual({ type: "answered" });
  const request = anthropic.simulator.requests[1];
  const checks: Checks<null> = {
    nextUserMessage(wanted) {
      const { toolResultIds, single } = membersOf(wanted);
      const results = newestResults(request);
      expect(results.map(({ id }) => id)).toEqual(toolResultIds);
      for (const { id, text } of results) {
        expect(text).toBe(
          itemsOf(membersOf(given[id]).content)
            .map((block) => block.text)
            .join(),
        );
      }
      const roles = itemsOf(request?.body.messages).map(({ role }) => role);
      if (single === true) expect(roles).toEqual(["user", "assistant", "user"]);
    },
  };
  await check(one, checks, null);
});

/** A stored message in the neutral form. */
function neutral({ role, content }: Record<string, unknown>): Message {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : itemsOf(content);
  const made = blocks.map((block) => {
    if (block.type === "tool_use") {
      return { type: "tool_call", id: block.id, name: block.name, input: JSON.stringify(block.input) };
    }
    if (block.type === "tool_result") {
      const nested =
        typeof block.content === "string" ? [{ type: "text", text: block.content }] : block.content;
      return {
        type: "tool_result",
        callId: block.tool_use_id,
        content: nested ?? [],
        isError: block.is_error === true,
      };
    }
    return block;
  });
  return { role, content: made } as unknown as Message;
}

test.each(runnable("history-repair").map(named))("%s %s", async (_id, _kind, one) => {
  await using anthropic = await startModel([lastTurn]);
  await using started = await startCase(
    { s: { plays: { type: "server", script: listed } } },
    anthropic.model,
  );
  const transcript = itemsOf(one.history).map(neutral);
  const { stop } = await started.host.run("go on", { transcript }).result;
  expect(stop).toEqual({ type: "answered" });
  const [request] = anthropic.simulator.requests;
  const messages = itemsOf(request?.body.messages);
  const checks: Checks<null> = {
    repaired(wanted) {
      const { pairs, order } = membersOf(wanted);
      const blocks = messages.flatMap(({ content }) => itemsOf(content));
      const calls = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
      const answers = blocks.flatMap(({ type, tool_use_id }) =>
        type === "tool_result" ? [tool_use_id] : [],
      );
      if (pairs === "complete") expect(answers).toEqual(calls);
      expect(calls.length).toBeGreaterThan(0);
      if (order !== "results before text") return;
      for (const { content } of messages) {
        const types = itemsOf(content).map(({ type }) => type);
        const firstText = types.indexOf("text");
        if (firstText !== -1) expect(types.lastIndexOf("tool_result")).toBeLessThan(firstText);
      }
    },
  };
  await check(one, checks, null);
});

test.each(
  runnable("model-args").flatMap((one) =>
    itemsOf(one.cases).map((given, index) => [one.id, index + 1, given] as const),
  ),
)("%s arguments %i", async (_id, _number, given) => {
  const input = typeof given.in === "string" ? given.in : JSON.stringify(given.in);
  const model = scriptedModel([{ calls: [{ name: "s__t", input }] }, { text: "done" }]);
  await using started = await startCase({ s: { plays: { type: "server", script: listed } } }, model);
  const { stop, messages } = await started.host.run("go on").result;
  expect(stop).toEqual({ type: "answered" });
  const called = started.seen("s").filter(({ method }) => method === "tools/call");
  const result = messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool_result"));
  if (given.error === undefined) {
    expect(called.map(({ params }) => membersOf(params).arguments)).toEqual([given.out]);
    return;
  }
  expect(called).toEqual([]);
  expect(result).toMatchObject([{ isError: true }]);
  if (typeof given.error === "string") expect(JSON.stringify(result)).toContain(given.error);
});
