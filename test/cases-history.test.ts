import { expect } from "vitest";
import type { SimulatedTurn } from "../src/testing/anthropic/turns.ts";
import type { Message } from "../src/types/message.ts";
import { type CaseApi, newestResults, type SeenBody } from "./support/case-apis/api.ts";
import { chosenApis, eachApi } from "./support/case-apis/each.ts";
import { type CaseHost, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";

const tools = [{ name: "t", description: "t", inputSchema: { type: "object" } }];
const listed = { "tools/list": { result: { tools } } };

/** The calls of the newest turn of a request, and what stands behind it. */
function newestTurn(body: SeenBody) {
  const at = body.messages.findLastIndex(({ role }) => role === "assistant");
  const turn = body.messages[at];
  return {
    callIds: turn?.role === "assistant" ? turn.calls.map(({ id }) => id) : [],
    behind: body.messages.slice(at + 1).map(({ role }) => role),
  };
}

const callIdsOf = (one: Case): string[] =>
  (one.modelTurn as SimulatedTurn).content.flatMap(({ type, id }) =>
    type === "tool_use" ? [String(id)] : [],
  );

/** Every API is answered anew, each call after its own time. */
function startBuild(one: Case): Promise<CaseHost> {
  const given = membersOf(one.results);
  const steps = callIdsOf(one).map((id) => {
    const { afterMs, content } = membersOf(given[id]);
    return { delayMs: Number(afterMs), result: { content } };
  });
  const script = { ...listed, "tools/call": { inTurn: chosenApis.flatMap(() => steps) } };
  return startCase({ s: { plays: { type: "server", script } } }, "offline");
}

eachApi(runnable("history-build"), startBuild, async (one, api, { host }) => {
  const given = membersOf(one.results);
  await using simulated = await api.start({ turns: [one.modelTurn as SimulatedTurn, lastTurn] });
  const model = simulated.modelNamed(api.models[0]);
  expect((await host.run("go on", { model }).result).stop).toEqual({ type: "answered" });
  expect(simulated.requests.map(({ status }) => status)).toEqual([200, 200]);
  const body = simulated.read(simulated.requests[1] as (typeof simulated.requests)[number]);
  const checks: Checks<null> = {
    nextUserMessage(wanted) {
      const { toolResultIds, single } = membersOf(wanted);
      const results = newestResults(body);
      const { callIds, behind } = newestTurn(body);
      expect(callIdsOf(one)).toEqual(toolResultIds);
      // Some APIs take other ids: these are the ones that the turn in front of the results has.
      expect(results.map(({ callId }) => callId)).toEqual(callIds);
      if (api.name === "anthropic") expect(callIds).toEqual(toolResultIds);
      const texts = (toolResultIds as string[]).map((id) =>
        itemsOf(membersOf(given[id]).content)
          .map((block) => block.text)
          .join(),
      );
      expect(results.map(({ text }) => text)).toEqual(texts);
      if (single === true) expect(behind).toEqual(callIds.map(() => "result"));
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

const plain = (): Promise<CaseHost> =>
  startCase({ s: { plays: { type: "server", script: listed } } }, "offline");

eachApi(runnable("history-repair"), plain, async (one, api, { host }) => {
  await using simulated = await api.start({ turns: [lastTurn] });
  const transcript = itemsOf(one.history).map(neutral);
  const model = simulated.modelNamed(api.models[0]);
  expect((await host.run("go on", { transcript, model }).result).stop).toEqual({ type: "answered" });
  const [request] = simulated.requests;
  if (request === undefined) throw new Error("There was no request.");
  expect(request.status).toBe(200);
  const { messages } = simulated.read(request);
  const checks: Checks<null> = {
    repaired(wanted) {
      const { pairs, order } = membersOf(wanted);
      const calls = messages.flatMap((message) =>
        message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
      );
      const answers = messages.flatMap((message) => (message.role === "result" ? [message.callId] : []));
      if (pairs === "complete") expect(answers).toEqual(calls);
      expect(calls.length).toBeGreaterThan(0);
      if (order !== "results before text") return;
      const roles = messages.map(({ role }) => role);
      const turn = roles.indexOf("assistant");
      expect(roles.slice(turn + 1, turn + 1 + calls.length)).toEqual(calls.map(() => "result"));
      expect(roles.at(-1)).toBe("user");
    },
  };
  await check(one, checks, null);
});

/** Each set of arguments is a case of its own. */
const withArguments: readonly Case[] = runnable("model-args").flatMap((one) =>
  itemsOf(one.cases).map((given, index) => ({ ...one, kind: `${one.kind} ${index + 1}`, given })),
);

/** Gemini hands out objects alone: of anything else its client learns only that the call was malformed. */
const hidesArguments = (api: CaseApi, input: string): boolean =>
  api.name === "gemini" && input !== "" && !input.startsWith('{"a":1') && input !== "{}";

eachApi(withArguments, plain, async (one, api, started) => {
  const given = membersOf(one.given);
  const input = typeof given.in === "string" ? given.in : JSON.stringify(given.in);
  const content = [{ type: "tool_use", name: "s__t", partial_json: input }];
  const called = () => started.seen("s").filter(({ method }) => method === "tools/call");
  const before = called().length;
  await using simulated = await api.start({ turns: [{ content }, lastTurn] });
  const model = simulated.modelNamed(api.models[0]);
  const { stop, messages } = await started.host.run("go on", { model }).result;
  const made = called().slice(before);
  if (hidesArguments(api, input)) {
    expect(stop).toMatchObject({ type: "failed", error: { code: "model_bad_response" } });
    expect(made).toEqual([]);
    return;
  }
  expect(stop).toEqual({ type: "answered" });
  const result = messages.flatMap((message) => message.content.filter(({ type }) => type === "tool_result"));
  if (given.error === undefined) {
    expect(made.map(({ params }) => membersOf(params).arguments)).toEqual([given.out]);
    return;
  }
  expect(made).toEqual([]);
  expect(result).toMatchObject([{ isError: true }]);
  if (typeof given.error === "string") expect(JSON.stringify(result)).toContain(given.error);
});
