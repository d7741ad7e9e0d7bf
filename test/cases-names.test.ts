import { expect, test } from "vitest";
import type { SimulatedStep } from "../src/testing/anthropic/turns.ts";
import { type CaseServer, lastTurn, startCase, startModel } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { membersOf } from "./support/members.ts";
import { wireTools } from "./support/wire.ts";

/** A server that lists tools of these names. */
function listing(names: readonly string[], initialize: object = {}): CaseServer {
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
  return { plays: { type: "server", script: { initialize, "tools/list": { result: { tools } } } } };
}

interface Routed {
  readonly alias: string;
  readonly server: string;
  readonly tool: string;
}

/** Where a call to each alias ended: the server and the raw name that it saw. */
async function routes(servers: Readonly<Record<string, CaseServer>>): Promise<Routed[]> {
  let aliases: string[] = [];
  const answer = (_: unknown, index: number): SimulatedStep =>
    index === 0 ? { content: aliases.map((name) => ({ type: "tool_use", name })) } : lastTurn;
  await using anthropic = await startModel(answer);
  await using started = await startCase(servers, anthropic.model);
  const { tools } = await started.host.tools();
  const own = tools.filter(({ route }) => Object.hasOwn(servers, route.server));
  aliases = own.map(({ alias }) => alias);
  expect((await started.host.run("go on").result).stop).toEqual({ type: "answered" });
  const calls = Object.keys(servers).flatMap((server) =>
    started
      .seen(server)
      .flatMap(({ method, params }) =>
        method === "tools/call" ? [{ server, tool: String(membersOf(params).name) }] : [],
      ),
  );
  expect(calls.length).toBe(own.length);
  return own.map(({ alias, route }) => {
    const reached = calls.filter(({ server, tool }) => server === route.server && tool === route.tool);
    expect(reached.length).toBe(1);
    return { alias, ...route };
  });
}

interface Facts {
  readonly one: Case;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly found: readonly Routed[];
}

const inOrder = (all: readonly Routed[]) =>
  [...all].map((one) => JSON.stringify([one.server, one.tool, one.alias])).sort();

const checks: Checks<Facts> = {
  distinctAliases: (wanted, { found }) => expect(new Set(found.map(({ alias }) => alias)).size).toBe(wanted),
  aliasMax: (wanted, { found }) => {
    for (const { alias } of found) expect(alias.length).toBeLessThanOrEqual(Number(wanted));
  },
  routeBack: (_, { names, found }) => {
    const wanted = Object.entries(names).flatMap(([server, tools]) =>
      tools.map((tool) => `${server} ${tool}`),
    );
    expect(found.map(({ server, tool }) => `${server} ${tool}`).sort()).toEqual(wanted.sort());
  },
  stableAcrossOrder: async (_, { names, found }) => {
    const backwards = Object.entries(names).reverse();
    const other = await routes(
      Object.fromEntries(backwards.map(([id, tools]) => [id, listing([...tools].reverse())])),
    );
    expect(inOrder(other)).toEqual(inOrder(found));
  },
  aliasesIndependentOfOtherServers: async (_, { names, found }) => {
    const alone: Routed[] = [];
    for (const [id, tools] of Object.entries(names)) alone.push(...(await routes({ [id]: listing(tools) })));
    expect(inOrder(alone)).toEqual(inOrder(found));
  },
};

test.each(runnable("servers").map((one) => [one.id, one.kind, one] as const))(
  "%s %s",
  async (_id, _kind, one) => {
    const names = membersOf(one.servers) as Record<string, string[]>;
    const found = await routes(
      Object.fromEntries(Object.entries(names).map(([id, tools]) => [id, listing(tools)])),
    );
    await check(one, checks, { one, names, found });
  },
);

const lists = (value: unknown): string[][] => (Array.isArray(value) ? (value as string[][]) : []);

/** The tools of the first request, as bytes, with servers that list and connect in the given order. */
async function toolsJson(
  one: Case,
  listOrder: readonly string[],
  connectOrder: readonly string[],
): Promise<string> {
  const names = membersOf(one.servers) as Record<string, string[]>;
  const servers = connectOrder.map((id, place) => {
    const own = names[id] ?? [];
    const reordered = own.length === listOrder.length ? listOrder : own;
    return [id, listing(reordered, { delayMs: place * 150 })] as const;
  });
  await using anthropic = await startModel([lastTurn]);
  await using started = await startCase(Object.fromEntries(servers), anthropic.model);
  expect((await started.host.run("go on").result).stop).toEqual({ type: "answered" });
  const [request] = anthropic.simulator.requests;
  expect(wireTools(request).length).toBeGreaterThan(Object.values(names).flat().length);
  return /"tools":\[.*?\](?=,"[a-z_]+":|\}$)/s.exec(request?.text ?? "")?.[0] ?? "";
}

test.each(runnable("cache").map((one) => [one.id, one.kind, one] as const))(
  "%s %s",
  async (_id, _kind, one) => {
    const orders = lists(one.listOrders).flatMap((list) =>
      lists(one.connectOrders).map((connect) => [list, connect]),
    );
    const texts = await Promise.all(orders.map(([list = [], connect = []]) => toolsJson(one, list, connect)));
    const cacheChecks: Checks<string[]> = {
      toolsJsonIdentical: (_, all) => {
        expect(all.every((text) => text.startsWith('"tools":['))).toBe(true);
        expect(new Set(all).size).toBe(1);
      },
    };
    await check(one, cacheChecks, texts);
  },
);
