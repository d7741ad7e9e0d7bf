import {
  builtinServer,
  type CatalogTool,
  type QuarantinedTool,
  searchToolAlias,
  type ToolRoute,
  type ToolSnapshot,
  type ToolsBehindSearch,
} from "../types/tool.ts";
import { searchTools } from "./search-tools.ts";

/** How much room a model has for tools. */
export interface ToolRoom {
  /** Most tools that are offered, the host's own among them; 0: as many as the model's API takes. */
  readonly most: number;
  /** Tools of a snapshot that its API has no room for, in the snapshot's order. */
  leftOut(snapshot: ToolSnapshot): readonly QuarantinedTool[];
}

/** Which tools of a snapshot a model is offered. */
export interface Selection {
  /** What goes to the model: the snapshot itself, by identity, when it has room for all. */
  readonly offered: ToolSnapshot;
  readonly behind: ToolsBehindSearch | null;
}

/**
 * Selects the tools that a model is offered, by their names alone, so that it depends on no order of connecting. When
 * there is no room for all:
 * 1. the host's own tools, with the two that find and call the others;
 * 2. `before`, the aliases that the conversation was offered so far: they keep their places, and what is new is
 *    appended, so that the list's beginning stays the same bytes. Without room for all of them, those that were used
 *    come first, and those that are gone last;
 * 3. tools that the conversation has `used`;
 * 4. of every server the same number, in the list's order, until the room is full.
 */
export function selectTools(
  snapshot: ToolSnapshot,
  room: ToolRoom,
  used: ReadonlySet<string> = new Set(),
  before: readonly string[] = [],
): Selection {
  if (!before.includes(searchToolAlias) && fits(snapshot, room)) return { offered: snapshot, behind: null };
  const candidates = byPriority(snapshot, used, before);
  const own = candidates.filter(isOwn).length;
  const within = room.most === 0 ? candidates : candidates.slice(0, Math.max(room.most, own));
  const trial = snapshotOf(snapshot, within);
  const refused = room.leftOut(trial);
  const without = new Set(refused.map(nameOf));
  const chosen = new Map(
    within.filter(({ route }) => !without.has(nameOf(route))).map((tool) => [tool.alias, tool]),
  );
  const tools = inPlace(chosen, snapshot, before);
  const offered = snapshotOf(snapshot, tools);
  const behind = snapshot.tools.filter((tool) => tool.listed && !chosen.has(tool.alias));
  const reason = refused[0]?.reason ?? `the limit offeredTools is ${room.most}`;
  return {
    offered,
    behind:
      behind.length === 0
        ? null
        : Object.freeze({ tools: Object.freeze(behind), offered: offered.tools, reason }),
  };
}

function fits(snapshot: ToolSnapshot, { most, leftOut }: ToolRoom): boolean {
  return (most === 0 || snapshot.tools.length <= most) && leftOut(snapshot).length === 0;
}

const isOwn = ({ route }: CatalogTool): boolean => route.server === builtinServer;
const nameOf = ({ server, tool }: ToolRoute): string => JSON.stringify([server, tool]);

/** Every tool that may be offered, the one that surely has room first. */
function byPriority(
  snapshot: ToolSnapshot,
  used: ReadonlySet<string>,
  before: readonly string[],
): CatalogTool[] {
  const known = new Set(before);
  const all = [...snapshot.tools, ...finders(snapshot)];
  const ofBefore = all.filter((tool) => !isOwn(tool) && known.has(tool.alias));
  const others = all.filter((tool) => !isOwn(tool) && tool.listed && !known.has(tool.alias));
  return [
    ...all.filter(isOwn),
    ...ofBefore.filter(({ alias, listed }) => listed && used.has(alias)),
    ...ofBefore.filter(({ alias, listed }) => listed && !used.has(alias)),
    ...ofBefore.filter(({ listed }) => !listed),
    ...others.filter(({ alias }) => used.has(alias)),
    ...inTurn(others.filter(({ alias }) => !used.has(alias))),
  ];
}

/** The two tools that find and call the others. */
function finders({ byAlias }: ToolSnapshot): CatalogTool[] {
  return searchTools.tools.flatMap(({ name }) => byAlias.get(`${builtinServer}__${name}`) ?? []);
}

/** The first tool of every server, then the second of every one, and so on: a large server takes nobody's room. */
function inTurn(tools: readonly CatalogTool[]): CatalogTool[] {
  const places = new Map<string, number>();
  const placed = tools.map((tool) => {
    const place = places.get(tool.route.server) ?? 0;
    places.set(tool.route.server, place + 1);
    return { tool, place };
  });
  // A stable sort: within a round the list's order holds.
  return placed.sort((a, b) => a.place - b.place).map(({ tool }) => tool);
}

/** The chosen tools: those of before where they were, then the host's own, then the others in the list's order. */
function inPlace(
  chosen: ReadonlyMap<string, CatalogTool>,
  snapshot: ToolSnapshot,
  before: readonly string[],
): CatalogTool[] {
  const order = new Set([
    ...before,
    ...[...chosen.values()].filter(isOwn).map(({ alias }) => alias),
    ...snapshot.tools.map(({ alias }) => alias),
  ]);
  return [...order].flatMap((alias) => chosen.get(alias) ?? []);
}

function snapshotOf(snapshot: ToolSnapshot, tools: readonly CatalogTool[]): ToolSnapshot {
  return Object.freeze({
    ...snapshot,
    tools: Object.freeze([...tools]),
  });
}
