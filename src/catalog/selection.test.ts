import fc from "fast-check";
import { expect, test } from "vitest";
import type { ServerToolList, ToolSnapshot } from "../types/tool.ts";
import { createRunCatalog } from "./catalog.ts";
import { selectTools, type ToolRoom } from "./selection.ts";

const signal = new AbortController().signal;
const finders = ["drawbridge__search_tools", "drawbridge__call_tool"];

function list(server: string, names: readonly string[]): ServerToolList {
  const tools = names.map((name) => ({
    name,
    description: "",
    inputSchema: { type: "object" },
    annotations: {},
  }));
  return { server, trusted: false, configHash: server, tools, quarantined: [] };
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `t${String(index).padStart(3, "0")}`);

/** The snapshots of a conversation whose lists become one after the other. */
async function snapshotsOf(...becoming: readonly (readonly ServerToolList[])[]): Promise<ToolSnapshot[]> {
  let lists: readonly ServerToolList[] = [];
  const catalog = createRunCatalog({
    builtin: list("drawbridge", ["read_output"]),
    lists: async () => lists,
    current: () => lists,
    keptBack: () => null,
    onChange: () => {},
  });
  const snapshots: ToolSnapshot[] = [];
  for (lists of becoming) snapshots.push(await catalog.snapshot(signal));
  return snapshots;
}

/** An API that takes so many tools. */
const takes = (count: number, most = 0): ToolRoom => ({
  most,
  leftOut: ({ tools }) => tools.slice(count).map(({ route }) => ({ ...route, reason: `at most ${count}` })),
});

const aliases = ({ tools }: { readonly tools: ToolSnapshot["tools"] }): string[] =>
  tools.map(({ alias }) => alias);

test("what there is room for is offered as it is, without tools to find others", async () => {
  const [snapshot] = await snapshotsOf([list("a", numbered(9))]);
  if (snapshot === undefined) throw new Error("no snapshot");
  expect(selectTools(snapshot, takes(10))).toEqual({ offered: snapshot, behind: null });
  expect(selectTools(snapshot, takes(10)).offered).toBe(snapshot);
});

test("over the room the host's own come first, and every server has the same number of places", async () => {
  const [snapshot] = await snapshotsOf([
    list("big", numbered(20)),
    list("mid", numbered(5)),
    list("one", ["x"]),
  ]);
  if (snapshot === undefined) throw new Error("no snapshot");
  const { offered, behind } = selectTools(snapshot, takes(10));
  expect(aliases(offered)).toEqual([
    ...["drawbridge__read_output", ...finders],
    ...["big__t000", "big__t001", "big__t002", "mid__t000", "mid__t001", "mid__t002", "one__x"],
  ]);
  expect(behind?.reason).toBe("at most 10");
  expect(behind?.tools).toHaveLength(19);
});

test("a limit of the operator's counts like the API's own, and never takes the host's own tools", async () => {
  const [snapshot] = await snapshotsOf([list("a", numbered(20))]);
  if (snapshot === undefined) throw new Error("no snapshot");
  const some = selectTools(snapshot, takes(Number.POSITIVE_INFINITY, 5));
  expect(aliases(some.offered)).toEqual(["drawbridge__read_output", ...finders, "a__t000", "a__t001"]);
  expect(some.behind?.reason).toBe("the limit offeredTools is 5");
  expect(aliases(selectTools(snapshot, takes(128, 1)).offered)).toEqual([
    "drawbridge__read_output",
    ...finders,
  ]);
});

test("tools that were used have their places before others", async () => {
  const [snapshot] = await snapshotsOf([list("a", numbered(20)), list("b", numbered(20))]);
  if (snapshot === undefined) throw new Error("no snapshot");
  const { offered } = selectTools(snapshot, takes(6), new Set(["b__t019", "a__t010"]));
  expect(aliases(offered).slice(3)).toEqual(["a__t000", "a__t010", "b__t019"]);
});

test("a list that grows over the room keeps its beginning, and what was used of it", async () => {
  const [before, after] = await snapshotsOf(
    [list("m", numbered(7))],
    [list("a", ["new"]), list("m", numbered(7))],
  );
  if (before === undefined || after === undefined) throw new Error("no snapshot");
  const earlier = aliases(selectTools(before, takes(8)).offered);
  const { offered, behind } = selectTools(after, takes(8), new Set(["m__t006"]), earlier);
  expect(aliases(offered)).toEqual([
    ...["drawbridge__read_output", "m__t000", "m__t001", "m__t002", "m__t003", "m__t004"].slice(0, 5),
    "m__t006",
    ...finders,
  ]);
  expect(behind?.tools.map(({ alias }) => alias)).toEqual(["m__t004", "m__t005", "a__new"]);
});

test("what is gone is not found any more, and keeps its place where it was offered", async () => {
  const [before, after] = await snapshotsOf([list("a", numbered(9))], [list("a", ["t001"])]);
  if (before === undefined || after === undefined) throw new Error("no snapshot");
  const first = selectTools(before, takes(6));
  const next = selectTools(after, takes(6), new Set(), aliases(first.offered));
  expect(aliases(next.offered)).toEqual(aliases(first.offered));
  expect(next.behind).toBeNull();
  // A conversation that begins later has no use for it.
  expect(aliases(selectTools(after, takes(6)).offered)).not.toContain("a__t000");
});

const server = fc.record({
  id: fc.constantFrom("a", "b", "c d", "日本"),
  tools: fc.uniqueArray(fc.constantFrom(...numbered(30)), { maxLength: 30 }),
});
const servers = fc.uniqueArray(server, { selector: ({ id }) => id, minLength: 1, maxLength: 4 });

test("whatever changes: within the room, nothing is lost, a list that was offered only grows, order of connecting is nothing", async () => {
  const property = fc.asyncProperty(
    fc.array(servers, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 4, max: 40 }),
    fc.nat(40),
    fc.subarray(numbered(30).map((name) => `a__${name}`)),
    async (becoming, count, most, used) => {
      const listsOf = (order: (all: ServerToolList[]) => ServerToolList[]) =>
        snapshotsOf(...becoming.map((all) => order(all.map(({ id, tools }) => list(id, tools)))));
      const [snapshots, reversed] = await Promise.all([
        listsOf((all) => all),
        listsOf((all) => all.reverse()),
      ]);
      const room = takes(count, most);
      let before: string[] | undefined;
      for (const [index, snapshot] of snapshots.entries()) {
        const { offered, behind } = selectTools(snapshot, room, new Set(used), before);
        const names = aliases(offered);
        expect(names.length).toBeLessThanOrEqual(Math.min(count, most === 0 ? count : Math.max(most, 3)));
        expect(room.leftOut(offered)).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
        const reached = new Set([...names, ...(behind?.tools ?? []).map(({ alias }) => alias)]);
        for (const tool of snapshot.tools) expect(reached.has(tool.alias) || !tool.listed).toBe(true);
        if (behind !== null) expect(names).toEqual(expect.arrayContaining(finders));
        if (before?.includes("drawbridge__call_tool")) expect(names.slice(0, before.length)).toEqual(before);
        const same = reversed[index];
        if (same !== undefined) {
          expect(aliases(selectTools(same, room, new Set(used), before).offered)).toEqual(names);
        }
        before = names;
      }
    },
  );
  await fc.assert(property, { numRuns: 100 });
});
