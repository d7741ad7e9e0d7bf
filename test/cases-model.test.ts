import { expect } from "vitest";
import type { SimulatedTurn } from "../src/testing/anthropic/turns.ts";
import type { HostOptions } from "../src/types/config.ts";
import type { RunResult } from "../src/types/events.ts";
import {
  allResults,
  type CaseApi,
  inputOf,
  type SeenMessage,
  type SeenResult,
} from "./support/case-apis/api.ts";
import { eachApi } from "./support/case-apis/each.ts";
import { type CaseHost, type CaseServer, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";

/** What a script of the model led to. */
interface Facts {
  readonly api: CaseApi;
  readonly turns: readonly SimulatedTurn[];
  readonly result: RunResult;
  readonly results: readonly SeenResult[];
  /** Calls that reached a server. */
  readonly executed: number;
  /** The messages of each request, in no API's form. */
  readonly asked: readonly (readonly SeenMessage[])[];
  /** The bodies of the requests. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
}

const resultChecks: Checks<Facts> = {
  isError: (wanted, { results }) =>
    expect(results.map(({ isError }) => isError)).toEqual(results.map(() => wanted)),
  contains: (wanted, { results }) => {
    expect(results.length).toBeGreaterThan(0);
    for (const { text } of results) expect(text).toContain(String(wanted));
  },
};

/** What of a turn comes back in every API: its text and its calls. */
function checkReplay({ api, turns, asked }: Facts): void {
  const content = turns[0]?.content ?? [];
  const replayed = asked[1]?.find(({ role }) => role === "assistant");
  if (replayed?.role !== "assistant") throw new Error("No turn came back.");
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  expect(replayed.text).toBe(texts.join("\n"));
  const calls = content.filter(({ type }) => type === "tool_use");
  expect(replayed.calls.map(({ name, input }) => [name, input])).toEqual(
    calls.map((block) => [block.name, JSON.parse(inputOf(block))]),
  );
  // What only the API can read was minted by its simulator, which refuses it when it comes back changed.
  if (api.keepsOpaque) expect(replayed.opaque.length).toBeGreaterThan(0);
  else expect(replayed.opaque).toEqual([]);
}

const checks: Checks<Facts> = {
  executed: (wanted, { executed }) => expect(executed).toBe(wanted),
  toolResult: (wanted, facts) => check({ id: "toolResult", assert: membersOf(wanted) }, resultChecks, facts),
  replayedAssistantEqualsVerbatim: (_, facts) => {
    const { api, turns, bodies } = facts;
    checkReplay(facts);
    if (api.name !== "anthropic") return;
    const verbatim = itemsOf(bodies[1]?.messages).find(({ role }) => role === "assistant");
    expect(JSON.stringify(verbatim?.content)).toBe(JSON.stringify(turns[0]?.content));
  },
  executedAtMost: (wanted, { executed }) => {
    expect(executed).toBeGreaterThan(0);
    expect(executed).toBeLessThanOrEqual(Number(wanted));
  },
  // The model was told before, and every call has its result.
  outcome: (wanted, { result, results, executed }) => {
    expect(result.stop.type).toBe(wanted);
    expect(results.some(({ text }) => text.includes("Try something else"))).toBe(true);
    const blocks = result.messages.flatMap(({ content }) => [...content]);
    expect(blocks.filter(({ type }) => type === "tool_result").length).toBe(executed);
  },
  // The simulator refuses a longer one, and every request was answered: see `play`.
  everyRequestTokensAtMost: (wanted, { turns, asked, result }) => {
    expect(asked.length).toBe(turns.length + 1);
    expect(JSON.stringify(result.messages).length / 4).toBeGreaterThan(Number(wanted));
  },
  pairs: (wanted, { asked, executed, turns }) => {
    expect(wanted).toBe("complete");
    expect(executed).toBe(turns.length);
    for (const messages of asked) {
      const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
      const answers = messages.flatMap((message) => (message.role === "result" ? [message.callId] : []));
      expect(answers).toEqual(calls.map(({ id }) => id));
    }
  },
  requests: (wanted, { asked }) => expect(asked.length).toBe(wanted),
  final: (wanted, { result }) => {
    expect(result.stop).toEqual({ type: "answered" });
    expect(result.text).toBe(wanted);
  },
  noEmptyMessages: (_, { asked, result }) => {
    for (const message of asked.flat()) {
      const calls = message.role === "assistant" ? message.calls.length : 0;
      const images = message.role === "assistant" ? 0 : message.images.length;
      expect(message.text.length + calls + images).toBeGreaterThan(0);
    }
    expect(result.messages.filter(({ content }) => content.length === 0)).toEqual([]);
  },
};

/** A server for each prefix of a called name, with the tools that are called. */
function serversOf(turns: readonly SimulatedTurn[], result?: unknown): Record<string, CaseServer> {
  const tools = new Map<string, Set<string>>();
  for (const { type, name } of turns.flatMap(({ content }) => content)) {
    if (type !== "tool_use") continue;
    const [server = "", tool = ""] = String(name).split("__");
    tools.set(server, (tools.get(server) ?? new Set()).add(tool));
  }
  return Object.fromEntries(
    [...tools].map(([server, names]) => {
      const listed = [...names].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
      const answer = result === undefined ? {} : { "tools/call": { result } };
      const script = { "tools/list": { result: { tools: listed } }, ...answer };
      return [server, { plays: { type: "server", script } }];
    }),
  );
}

async function play(
  turns: readonly SimulatedTurn[],
  api: CaseApi,
  started: CaseHost,
  window?: number,
): Promise<Facts> {
  const called = () =>
    Object.keys(serversOf(turns)).flatMap((server) =>
      started.seen(server).filter(({ method }) => method === "tools/call"),
    ).length;
  const before = called();
  const facts = window === undefined ? {} : { contextTokens: window };
  await using simulated = await api.start({ turns: (_, index) => turns[index] ?? lastTurn, ...facts });
  const result = await started.host.run("go on", { model: simulated.modelNamed(api.models[0]) }).result;
  const { read } = simulated;
  // Beside answers, tokens may be counted.
  const requests = simulated.requests.filter(({ path }) => !/countTokens$|_tokens$/.test(path));
  expect(simulated.requests.map(({ status }) => status)).toEqual(simulated.requests.map(() => 200));
  return {
    api,
    turns,
    result,
    results: allResults(simulated),
    executed: called() - before,
    asked: requests.map((request) => read(request).messages),
    bodies: requests.map(({ body }) => body),
  };
}

/** The turns of a case; `gen.repeatTurn` is one turn again and again, with its number for `$i`. */
function turnsOf(one: Readonly<Record<string, unknown>>): SimulatedTurn[] {
  const { repeatTurn, count } = membersOf(one.gen);
  if (repeatTurn === undefined) return (one.turns ?? [one.turn]) as SimulatedTurn[];
  const text = JSON.stringify(repeatTurn);
  return Array.from({ length: Number(count) }, (_, index) =>
    JSON.parse(text.replaceAll("$i", String(index))),
  );
}

/** What every call of a generated turn is answered with; undefined for a usual answer. */
const answerOf = (one: Readonly<Record<string, unknown>>): unknown => membersOf(one.gen).result;

const windowOf = ({ window }: Case): number | undefined => (typeof window === "number" ? window : undefined);

/** A host that knows how much the model of a case reads, and stops at none of its turns. */
function roomOf(one: Case): Partial<HostOptions> {
  const contextTokens = windowOf(one);
  return contextTokens === undefined ? {} : { limits: { contextTokens, turns: turnsOf(one).length + 1 } };
}

const cases = runnable("model-turn", "model-turns");

eachApi(
  cases,
  (one) => startCase(serversOf(turnsOf(one), answerOf(one)), "offline", roomOf(one)),
  async (one, api, started) => check(one, checks, await play(turnsOf(one), api, started, windowOf(one))),
);

/** A variant in the form of Chat Completions: its calls are those of any API's turn. */
function turnOfCalls(form: Record<string, unknown>): SimulatedTurn {
  const calls = itemsOf(form.tool_calls).map(({ function: called }) => membersOf(called));
  return { content: calls.map((one) => ({ type: "tool_use", name: one.name, partial_json: one.arguments })) };
}

/** Variants are other first turns. */
const variants: readonly Case[] = cases.flatMap((one) =>
  itemsOf(one.variants).map((variant, index) => ({
    ...one,
    kind: `${one.kind} variant ${index + 1}`,
    broken: variant.openai !== undefined,
    gen: variant.gen,
    turn: variant.openai === undefined ? variant : turnOfCalls(membersOf(variant.openai)),
  })),
);
/** A variant by itself: its turns are not the case's. */
const variantOf = ({ gen, turn }: Case) => ({ gen, turn });

const known = new Set(["end_turn", "tool_use", "refusal", "max_tokens", "model_context_window_exceeded"]);

eachApi(
  variants,
  (one) => startCase(serversOf(turnsOf(variantOf(one)), answerOf(one)), "offline"),
  async (one, api, started) => {
    if (one.gen !== undefined) return check(one, checks, await play(turnsOf(one), api, started));
    const turn = one.turn as SimulatedTurn;
    const facts = await play([turn], api, started);
    const { result, executed, asked, results } = facts;
    const calls = turn.content.filter(({ type }) => type === "tool_use");
    if (one.broken === true) {
      expect(executed).toBe(0);
      // Its API tells nobody what the arguments were; an answer without a call that can be read is asked for again.
      if (api.name === "gemini") {
        expect(result.stop).toMatchObject({ type: "failed", error: { code: "model_bad_response" } });
      } else await check(one, checks, facts);
      return;
    }
    expect(result.stop.type).not.toBe("failed");
    if (turn.stop_reason === "refusal") expect(result.stop.type).toBe("refused");
    if (!known.has(turn.stop_reason ?? "")) expect(executed).toBe(calls.length);
    if (asked.length > 1) expect(results.length).toBe(calls.length);
    const open = result.messages.flatMap(({ content }) => content.map((block) => membersOf(block)));
    const answered = open.filter(({ type }) => type === "tool_result").length;
    expect(answered).toBe(open.filter(({ type }) => type === "tool_call").length);
    expect(result.messages.filter(({ content }) => content.length === 0)).toEqual([]);
  },
);
