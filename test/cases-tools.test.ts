import { expect, test } from "vitest";
import { plainKeys } from "../src/models/schema/dialect.ts";
import { renameKeys } from "../src/models/schema/rename.ts";
import type { SimulatedStep } from "../src/testing/anthropic/turns.ts";
import type { CallResult } from "../src/types/host.ts";
import type { CatalogTool } from "../src/types/tool.ts";
import { lastTurn, startCase, startModel } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { checkGemini, geminiSchemas } from "./support/gemini.ts";
import { itemsOf, membersOf } from "./support/members.ts";
import { allResults, propertyKeys, type WireResult, wireTools } from "./support/wire.ts";

/** What a case of tools led to. */
interface Facts {
  readonly one: Case;
  /** The tools of the case's server, as the model was offered them. */
  readonly tools: readonly CatalogTool[];
  /** The same tools in the request to the Messages API. */
  readonly sent: readonly { name: string; schema: Record<string, unknown> }[];
  readonly results: readonly WireResult[];
  /** What the server was called with, in order. */
  readonly called: readonly { name: unknown; arguments: unknown }[];
  /** Calls the first tool directly; says whether the call reached the server. */
  readonly tryArguments: (given: unknown) => Promise<CallResult & { readonly reached: boolean }>;
}

const anthropicChecks: Checks<Facts> = {
  noRootKeys: (wanted, { sent }) => {
    for (const { schema } of sent)
      for (const key of wanted as string[]) expect(schema).not.toHaveProperty(key);
  },
  keepTools: (wanted, { sent }) => expect(sent.length).toBe(wanted),
  allKeysMatch: (wanted, { sent }) => {
    for (const { schema } of sent) {
      for (const key of propertyKeys(schema)) expect(key).toMatch(new RegExp(String(wanted)));
    }
  },
  distinctKeys: (wanted, { sent }) => {
    for (const { schema } of sent) expect(new Set(propertyKeys(schema)).size).toBe(wanted);
  },
};

const validationChecks: Checks<Facts> = {
  reject: async (wanted, { tryArguments }) => {
    for (const given of wanted as unknown[]) {
      expect(await tryArguments(given)).toMatchObject({ isError: true, reached: false });
    }
  },
  accept: async (wanted, { tryArguments }) => {
    for (const given of wanted as unknown[]) {
      expect(await tryArguments(given)).toMatchObject({ isError: false, reached: true });
    }
  },
};

const nested = (wanted: unknown, checks: Checks<Facts>, facts: Facts) =>
  check({ id: facts.one.id, assert: membersOf(wanted) }, checks, facts);
const distinctAliases = ({ tools }: Facts) => {
  expect(tools.length).toBeGreaterThan(0);
  expect(new Set(tools.map(({ alias }) => alias)).size).toBe(tools.length);
};

const checks: Checks<Facts> = {
  anthropic: (wanted, facts) => nested(wanted, anthropicChecks, facts),
  gemini: async (wanted, { tools }) => checkGemini(wanted, await geminiSchemas(tools)),
  localValidation: (wanted, facts) => nested(wanted, validationChecks, facts),
  keepTools: (wanted, { tools }) =>
    expect(tools.map(({ route }) => route.tool)).toEqual(expect.arrayContaining(wanted as string[])),
  aliasPattern: (wanted, { tools }) => {
    for (const { alias } of tools) expect(alias).toMatch(new RegExp(String(wanted)));
  },
  distinct: (_, facts) => distinctAliases(facts),
  uniqueAliases: (_, facts) => distinctAliases(facts),
  routeBack: (_, { one, tools, called }) => {
    expect(called.map(({ name }) => name)).toEqual(tools.map(({ route }) => route.tool));
    const named = itemsOf(one.tools).filter(({ name }) => name !== "");
    expect(tools.length).toBeGreaterThanOrEqual(named.length);
  },
  callSucceeds: (_, { results }) => expect(results.map(({ isError }) => isError)).toEqual([false]),
  wireArguments: (wanted, { called }) => expect(called[0]?.arguments).toEqual(wanted),
  argsRoundTrip: (_, { one, called, sent }) => {
    const given = membersOf(membersOf(one.call).arguments);
    const known = propertyKeys(sent[0]?.schema);
    expect(known.filter((key) => !/^[\w.-]{1,64}$/.test(key))).toEqual([]);
    expect(called[0]?.arguments).toEqual(given);
  },
};

/** The arguments with the names under which the model knows the properties. */
function asTheModelWrites(given: unknown, tool: CatalogTool | undefined): Record<string, unknown> {
  const { send } = renameKeys(tool?.definition.inputSchema ?? {}, plainKeys);
  return Object.fromEntries(Object.entries(membersOf(given)).map(([key, value]) => [send(key), value]));
}

/** What the model calls: the case's own call, or every tool if the way back is to be seen. */
function plannedCalls(one: Case, tools: readonly CatalogTool[]): { alias: string; given: unknown }[] {
  const { name, arguments: given } = membersOf(one.call);
  if (name === undefined) return one.assert.routeBack ? tools.map(({ alias }) => ({ alias, given: {} })) : [];
  return tools.filter(({ route }) => route.tool === name).map(({ alias }) => ({ alias, given }));
}

async function run(one: Case): Promise<void> {
  const server = typeof one.server === "string" ? one.server : "s";
  let tools: readonly CatalogTool[] = [];
  const answer = (_: unknown, index: number): SimulatedStep => {
    const calls = plannedCalls(one, tools);
    if (index > 0 || calls.length === 0) return lastTurn;
    const content = calls.map(({ alias, given }) => {
      const tool = tools.find((other) => other.alias === alias);
      return { type: "tool_use", name: alias, input: asTheModelWrites(given, tool) };
    });
    return { content };
  };
  await using anthropic = await startModel(answer);
  await using started = await startCase({ [server]: { plays: one } }, anthropic.model);
  const { host } = started;
  const snapshot = await host.tools();
  tools = snapshot.tools.filter(({ route }) => route.server === server);
  const { stop } = await host.run("go on").result;
  expect(stop).toEqual({ type: "answered" });
  const { requests } = anthropic.simulator;
  const called = () =>
    started
      .seen(server)
      .filter(({ method }) => method === "tools/call")
      .map(({ params }) => ({ name: membersOf(params).name, arguments: membersOf(params).arguments }));
  const aliases = new Set(tools.map(({ alias }) => alias));
  await check(one, checks, {
    one,
    tools,
    sent: wireTools(requests[0]).filter(({ name }) => aliases.has(name)),
    results: allResults(requests),
    called: called(),
    async tryArguments(given) {
      const before = called().length;
      const result = await host.call(server, tools[0]?.route.tool ?? "", membersOf(given));
      return { ...result, reached: called().length > before };
    },
  });
}

const cases = runnable("tools").filter((one) => one.assert.toolResult === undefined);
test.each(cases.map((one) => [one.id, one.kind, one] as const))("%s %s", (_id, _kind, one) => run(one));
