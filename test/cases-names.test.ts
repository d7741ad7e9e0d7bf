import { expect } from "vitest";
import { allResults, type CaseApi } from "./support/case-apis/api.ts";
import { eachApi } from "./support/case-apis/each.ts";
import { type CaseHost, type CaseServer, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { membersOf } from "./support/members.ts";

/** A server that lists tools of these names. */
function listing(names: readonly string[], initialize: object = {}): CaseServer {
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
  return { plays: { type: "server", script: { initialize, "tools/list": { result: { tools } } } } };
}

const namesOf = (one: Case) => membersOf(one.servers) as Record<string, string[]>;

interface Routed {
  readonly alias: string;
  readonly server: string;
  readonly tool: string;
}

/** The aliases of a host's own servers, without asking a model. */
async function aliasesOf(servers: Readonly<Record<string, CaseServer>>): Promise<Routed[]> {
  await using started = await startCase(servers, "offline");
  const { tools } = await started.host.tools();
  return tools
    .filter(({ route }) => Object.hasOwn(servers, route.server))
    .map(({ alias, route }) => ({ alias, ...route }));
}

/** Where a call to each alias ended: the server and the raw name that it saw. */
async function routes(one: Case, api: CaseApi, started: CaseHost): Promise<Routed[]> {
  const names = namesOf(one);
  const { tools } = await started.host.tools();
  const own = tools.filter(({ route }) => Object.hasOwn(names, route.server));
  const called = (server: string) => started.seen(server).filter(({ method }) => method === "tools/call");
  const before = new Map(Object.keys(names).map((server) => [server, called(server).length]));
  const content = own.map(({ alias }) => ({ type: "tool_use", name: alias }));
  await using simulated = await api.start({ turns: [{ content }, lastTurn] });
  const model = simulated.modelNamed(api.models[0]);
  expect((await started.host.run("go on", { model }).result).stop).toEqual({ type: "answered" });
  expect(simulated.requests.map(({ status }) => status)).toEqual([200, 200]);
  expect(allResults(simulated).map(({ isError }) => isError)).toEqual(own.map(() => false));
  const calls = Object.keys(names).flatMap((server) =>
    called(server)
      .slice(before.get(server))
      .map(({ params }) => ({ server, tool: String(membersOf(params).name) })),
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

/** What other hosts call the tools of a case: looked at once, whatever the API. */
const elsewhere = new Map<string, Promise<Routed[]>>();

function once(key: string, find: () => Promise<Routed[]>): Promise<Routed[]> {
  const found = elsewhere.get(key) ?? find();
  elsewhere.set(key, found);
  return found;
}

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
  stableAcrossOrder: async (_, { one, names, found }) => {
    const backwards = Object.entries(names).reverse();
    const other = await once(`${one.id} backwards`, () =>
      aliasesOf(Object.fromEntries(backwards.map(([id, tools]) => [id, listing([...tools].reverse())]))),
    );
    expect(inOrder(other)).toEqual(inOrder(found));
  },
  aliasesIndependentOfOtherServers: async (_, { one, names, found }) => {
    const alone = await once(`${one.id} alone`, async () => {
      const all: Routed[] = [];
      for (const [id, tools] of Object.entries(names))
        all.push(...(await aliasesOf({ [id]: listing(tools) })));
      return all;
    });
    expect(inOrder(alone)).toEqual(inOrder(found));
  },
};

eachApi(
  runnable("servers"),
  (one) =>
    startCase(
      Object.fromEntries(Object.entries(namesOf(one)).map(([id, tools]) => [id, listing(tools)])),
      "offline",
    ),
  async (one, api, started) => {
    await check(one, checks, { one, names: namesOf(one), found: await routes(one, api, started) });
  },
);
