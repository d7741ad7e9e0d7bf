import { expect, test } from "vitest";
import type { SimulatedTurn } from "../src/testing/anthropic/turns.ts";
import type { RunResult } from "../src/types/events.ts";
import { type CaseServer, lastTurn, startCase, startModel } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";
import { allResults, type WireResult } from "./support/wire.ts";

/** What a script of the model led to. */
interface Facts {
  readonly turns: readonly SimulatedTurn[];
  readonly result: RunResult;
  readonly results: readonly WireResult[];
  /** Calls that reached a server. */
  readonly executed: number;
  /** The messages of each request. */
  readonly asked: readonly (readonly Record<string, unknown>[])[];
}

const resultChecks: Checks<Facts> = {
  isError: (wanted, { results }) =>
    expect(results.map(({ isError }) => isError)).toEqual(results.map(() => wanted)),
  contains: (wanted, { results }) => {
    expect(results.length).toBeGreaterThan(0);
    for (const { text } of results) expect(text).toContain(String(wanted));
  },
};

const checks: Checks<Facts> = {
  executed: (wanted, { executed }) => expect(executed).toBe(wanted),
  toolResult: (wanted, facts) => check({ id: "toolResult", assert: membersOf(wanted) }, resultChecks, facts),
  replayedAssistantEqualsVerbatim: (_, { turns, asked }) => {
    const replayed = asked[1]?.find(({ role }) => role === "assistant");
    expect(JSON.stringify(replayed?.content)).toBe(JSON.stringify(turns[0]?.content));
  },
  requests: (wanted, { asked }) => expect(asked.length).toBe(wanted),
  final: (wanted, { result }) => {
    expect(result.stop).toEqual({ type: "answered" });
    expect(result.text).toBe(wanted);
  },
  noEmptyMessages: (_, { asked, result }) => {
    const all = [...asked.flat(), ...result.messages];
    expect(all.filter(({ content }) => (content as unknown[]).length === 0)).toEqual([]);
  },
};

/** A server for each prefix of a called name, with the tools that are called. */
function serversOf(turns: readonly SimulatedTurn[]): Record<string, CaseServer> {
  const tools = new Map<string, Set<string>>();
  for (const { type, name } of turns.flatMap(({ content }) => content)) {
    if (type !== "tool_use") continue;
    const [server = "", tool = ""] = String(name).split("__");
    tools.set(server, (tools.get(server) ?? new Set()).add(tool));
  }
  return Object.fromEntries(
    [...tools].map(([server, names]) => {
      const listed = [...names].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
      return [server, { plays: { type: "server", script: { "tools/list": { result: { tools: listed } } } } }];
    }),
  );
}

async function play(turns: readonly SimulatedTurn[]): Promise<Facts> {
  const servers = serversOf(turns);
  await using anthropic = await startModel((_, index) => turns[index] ?? lastTurn);
  await using started = await startCase(servers, anthropic.model);
  const result = await started.host.run("go on").result;
  const { requests } = anthropic.simulator;
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
  const seen = Object.keys(servers).flatMap((server) => started.seen(server));
  return {
    turns,
    result,
    results: allResults(requests),
    executed: seen.filter(({ method }) => method === "tools/call").length,
    asked: requests.map(({ body }) => itemsOf(body.messages)),
  };
}

const turnsOf = (one: Case) => (one.turns ?? [one.turn]) as SimulatedTurn[];
const cases = runnable("model-turn", "model-turns");

test.each(cases.map((one) => [one.id, one.kind, one] as const))("%s %s", async (_id, _kind, one) => {
  await check(one, checks, await play(turnsOf(one)));
});

/** Variants are other first turns, in the form of the Messages API. */
const variants = cases.flatMap((one) =>
  itemsOf(one.variants)
    .filter(({ content }) => Array.isArray(content))
    .map((turn, index) => [one.id, index + 1, turn as unknown as SimulatedTurn] as const),
);
const known = new Set(["end_turn", "tool_use", "refusal", "max_tokens", "model_context_window_exceeded"]);

test.each(variants)("%s variant %i", async (_id, _number, turn) => {
  const { result, executed, asked, results } = await play([turn]);
  const calls = turn.content.filter(({ type }) => type === "tool_use");
  expect(result.stop.type).not.toBe("failed");
  if (turn.stop_reason === "refusal") expect(result.stop.type).toBe("refused");
  if (!known.has(turn.stop_reason ?? "")) expect(executed).toBe(calls.length);
  if (asked.length > 1) expect(results.length).toBe(calls.length);
  const open = result.messages.flatMap(({ content }) => content.map((block) => membersOf(block)));
  const answered = open.filter(({ type }) => type === "tool_result").length;
  expect(answered).toBe(open.filter(({ type }) => type === "tool_call").length);
  expect(result.messages.filter(({ content }) => content.length === 0)).toEqual([]);
});
