import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaseApi } from "./support/case-apis/api.ts";
import { chosenApis } from "./support/case-apis/each.ts";
import { type CaseHost, type CaseServer, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { membersOf } from "./support/members.ts";

const lists = (value: unknown): string[][] => (Array.isArray(value) ? (value as string[][]) : []);

/** A server that lists tools of these names, and takes its time to start. */
function listing(names: readonly string[], delayMs: number): CaseServer {
  const tools = names.map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
  const script = { initialize: { delayMs }, "tools/list": { result: { tools } } };
  return { plays: { type: "server", script } };
}

/** A host whose servers list and connect in the given order. */
function startInOrder(
  one: Case,
  listOrder: readonly string[],
  connectOrder: readonly string[],
): Promise<CaseHost> {
  const names = membersOf(one.servers) as Record<string, string[]>;
  const servers = connectOrder.map((id, place) => {
    const own = names[id] ?? [];
    const reordered = own.length === listOrder.length ? listOrder : own;
    return [id, listing(reordered, place * 150)] as const;
  });
  return startCase(Object.fromEntries(servers), "offline");
}

const cases = runnable("cache");
const hosts = new Map<string, CaseHost[]>();

beforeAll(async () => {
  for (const one of cases) {
    const orders = lists(one.listOrders).flatMap((list) =>
      lists(one.connectOrders).map((connect) => [list, connect]),
    );
    const started = orders.map(([list = [], connect = []]) => startInOrder(one, list, connect));
    hosts.set(one.id, await Promise.all(started));
  }
});

afterAll(async () => {
  for (const host of [...hosts.values()].flat()) await host[Symbol.asyncDispose]();
});

/** The text of the tools in the first request of a run. */
async function toolsJson({ host }: CaseHost, api: CaseApi, least: number): Promise<string> {
  await using simulated = await api.start({ turns: [lastTurn] });
  const model = simulated.modelNamed(api.models[0]);
  expect((await host.run("go on", { model }).result).stop).toEqual({ type: "answered" });
  const [request] = simulated.requests;
  if (request === undefined) throw new Error("There was no request.");
  expect(simulated.read(request).tools.length).toBeGreaterThan(least);
  // The members of the body are read in their order: equal texts of the value are equal bytes.
  const text = JSON.stringify(request.body.tools);
  expect(request.text).toContain(text);
  return text;
}

const checks: Checks<readonly string[]> = {
  toolsJsonIdentical: (_, texts) => expect(new Set(texts).size).toBe(1),
};

test.each(cases.flatMap((one) => chosenApis.map((api) => [one.id, one.kind, api.name, one, api] as const)))(
  "%s %s %s",
  async (_id, _kind, _name, one, api) => {
    const least = Object.values(membersOf(one.servers) as Record<string, string[]>).flat().length;
    const texts: string[] = [];
    for (const host of hosts.get(one.id) ?? []) texts.push(await toolsJson(host, api, least));
    expect(texts.length).toBeGreaterThan(1);
    await check(one, checks, texts);
  },
);
