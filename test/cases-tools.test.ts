import { expect } from "vitest";
import type { SimulatedStep } from "../src/testing/anthropic/turns.ts";
import type { RunEvent } from "../src/types/events.ts";
import type { CallResult } from "../src/types/host.ts";
import { type CatalogTool, callToolAlias, searchToolAlias } from "../src/types/tool.ts";
import { asTheModelWrites } from "./support/as-the-model-writes.ts";
import { allResults, type CaseApi, type SeenResult, type SeenTool } from "./support/case-apis/api.ts";
import { eachApi } from "./support/case-apis/each.ts";
import { type CaseHost, lastTurn, startCase } from "./support/case-host.ts";
import { propertyKeys, schemaChecks, valueAt } from "./support/case-schemas.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";

/** What a case of tools led to. */
interface Facts {
  readonly one: Case;
  readonly api: CaseApi;
  /** The tools of the case's server, as the host has them. */
  readonly tools: readonly CatalogTool[];
  /** The same tools in the request to the API. */
  readonly sent: readonly SeenTool[];
  /** How many tools the request has in all. */
  readonly allSent: number;
  /** What the run said of its tools. */
  readonly ready: Extract<RunEvent, { type: "catalog_ready" }> | undefined;
  /** Has the model search with these words and call the tool; what the search said, and what the server was called with. */
  readonly findAndCall: (
    words: string,
    tool: CatalogTool,
  ) => Promise<{ readonly said: string; readonly called: Facts["called"] }>;
  readonly results: readonly SeenResult[];
  /** What the server was called with, in order. */
  readonly called: readonly { name: unknown; arguments: unknown }[];
  /** Calls the first tool directly; says whether the call reached the server. */
  readonly tryArguments: (given: unknown) => Promise<CallResult & { readonly reached: boolean }>;
}

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

/** What a case says of the tools that one API gets. */
const apiChecks: Checks<Facts> = {
  ...Object.fromEntries(
    Object.entries(schemaChecks).map(([name, run]) => [
      name,
      (wanted: unknown, { sent }: Facts) =>
        run(
          wanted,
          sent.map(({ schema }) => schema),
        ),
    ]),
  ),
  path: () => {},
  maxTools: (wanted, { tools, sent, allSent, ready }) => {
    expect(allSent).toBe(Number(wanted));
    expect(sent.length).toBeGreaterThan(0);
    // What is not offered is said, with the reason.
    expect(ready?.quarantined).toEqual([]);
    expect(ready?.behindSearch?.tools).toBe(tools.length - sent.length);
    expect(ready?.behindSearch?.reason).toContain(`at most ${wanted} tools`);
  },
  overflowReachable: async (_, { tools, sent, findAndCall }) => {
    const offered = new Set(sent.map(({ name }) => name));
    const others = tools.filter(({ alias }) => !offered.has(alias));
    expect(others.length).toBeGreaterThan(0);
    for (const tool of [others[0], others.at(-1)]) {
      if (tool === undefined) continue;
      const { said, called } = await findAndCall(tool.route.tool.replace("_", " "), tool);
      expect(said).toContain(JSON.stringify(tool.alias));
      expect(called).toEqual([{ name: tool.route.tool, arguments: {} }]);
    }
  },
};

function checkApi(wanted: unknown, facts: Facts, prefix: string): Promise<void> {
  const schemas = facts.sent.map(({ schema }) => schema);
  const { path } = membersOf(wanted);
  const equals: Checks<Facts> = {
    equals: (value) => expect(valueAt(path as string[], schemas)).toBe(value),
  };
  return check({ id: facts.one.id, assert: membersOf(wanted), prefix }, { ...apiChecks, ...equals }, facts);
}

const distinctAliases = ({ tools }: Facts) => {
  expect(tools.length).toBeGreaterThan(0);
  expect(new Set(tools.map(({ alias }) => alias)).size).toBe(tools.length);
};

const checks: Checks<Facts> = {
  anthropic: (wanted, facts) =>
    facts.api.name === "anthropic" ? checkApi(wanted, facts, "anthropic.") : undefined,
  openai: (wanted, facts) =>
    facts.api.name.startsWith("openai-") ? checkApi(wanted, facts, "openai.") : undefined,
  gemini: (wanted, facts) => (facts.api.name === "gemini" ? checkApi(wanted, facts, "gemini.") : undefined),
  localValidation: (wanted, facts) =>
    check({ id: facts.one.id, assert: membersOf(wanted) }, validationChecks, facts),
  keepTools: (wanted, { tools, sent }) => {
    expect(tools.map(({ route }) => route.tool)).toEqual(expect.arrayContaining(wanted as string[]));
    expect(sent.length).toBe(tools.length);
  },
  aliasPattern: (wanted, { tools, sent }) => {
    for (const { alias } of tools) expect(alias).toMatch(new RegExp(String(wanted)));
    for (const { name } of sent) expect(name).toMatch(new RegExp(String(wanted)));
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
  argsRoundTrip: (_, { one, api, called, sent }) => {
    const given = membersOf(membersOf(one.call).arguments);
    const known = propertyKeys(sent[0]?.schema);
    expect(known.length).toBeGreaterThan(0);
    expect(known.filter((key) => !api.keys.accepted.test(key))).toEqual([]);
    expect(called[0]?.arguments).toEqual(given);
  },
};

/** What the model calls: the case's own call, or every tool if the way back is to be seen. */
function plannedCalls(one: Case, tools: readonly CatalogTool[]): { tool: CatalogTool; given: unknown }[] {
  const { name, arguments: given } = membersOf(one.call);
  if (name === undefined) return one.assert.routeBack ? tools.map((tool) => ({ tool, given: {} })) : [];
  return tools.filter(({ route }) => route.tool === name).map((tool) => ({ tool, given }));
}

const asCalled = ({ params }: { readonly params?: unknown }) => ({
  name: membersOf(params).name,
  arguments: membersOf(params).arguments,
});

const serverOf = (one: Case): string => (typeof one.server === "string" ? one.server : "s");

async function run(one: Case, api: CaseApi, started: CaseHost): Promise<void> {
  const server = serverOf(one);
  const { host } = started;
  const tools = (await host.tools()).tools.filter(({ route }) => route.server === server);
  const calls = plannedCalls(one, tools).map(({ tool, given }) => ({
    type: "tool_use",
    name: tool.alias,
    input: asTheModelWrites(membersOf(given) as never, tool.definition.inputSchema, api.keys),
  }));
  const turns: SimulatedStep[] = calls.length === 0 ? [lastTurn] : [{ content: calls }, lastTurn];
  const made = () => started.seen(server).filter(({ method }) => method === "tools/call");
  const before = made().length;
  await using simulated = await api.start({ turns });
  const running = host.run("go on", { model: simulated.modelNamed(api.models[0]) });
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  expect((await running.result).stop).toEqual({ type: "answered" });
  const { requests, read } = simulated;
  expect(requests.map(({ status }) => status)).toEqual(turns.map(() => 200));
  const called = made().slice(before);
  const names = new Set(tools.map(({ alias }) => alias));
  const [first] = requests;
  const allSent = first === undefined ? [] : read(first).tools;
  await check(one, checks, {
    one,
    api,
    tools,
    sent: allSent.filter(({ name }) => names.has(name)),
    allSent: allSent.length,
    ready: events.find((event) => event.type === "catalog_ready"),
    async findAndCall(words, tool) {
      const seen = made().length;
      const step = (name: string, input: unknown): SimulatedStep => ({
        content: [{ type: "tool_use", name, input }],
      });
      await using model = await api.start({
        turns: [
          step(searchToolAlias, { query: words }),
          step(callToolAlias, { name: tool.alias, arguments: {} }),
          lastTurn,
        ],
      });
      await host.run("go on", { model: model.modelNamed(api.models[0]) }).result;
      const said = allResults(model)[0]?.text ?? "";
      return { said, called: made().slice(seen).map(asCalled) };
    },
    results: allResults(simulated),
    called: called.map(asCalled),
    async tryArguments(given) {
      const earlier = made().length;
      const result = await host.call(server, tools[0]?.route.tool ?? "", membersOf(given));
      return { ...result, reached: made().length > earlier };
    },
  });
}

eachApi(
  runnable("tools").filter((one) => one.assert.toolResult === undefined),
  (one) => startCase({ [serverOf(one)]: { plays: one } }, "offline"),
  run,
);
