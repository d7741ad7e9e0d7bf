import { catalogTool } from "../catalog/definition.ts";
import { HostError } from "../errors.ts";
import type { DefinitionStore, DefinitionsOf, KeptDefinitions, KeptTool } from "../types/definitions.ts";
import type { Emit } from "../types/events.ts";
import type { CatalogTool, ServerToolList, ToolRoute } from "../types/tool.ts";
import { firstPins, type Pins, readPins } from "./definition-pins.ts";
import {
  asPinned,
  compareDefinitions,
  type KnownDefinitions,
  knownOf,
  mergeSeen,
} from "./definition-state.ts";

/** What is known of the tools of one server under one configuration. */
export interface Watched {
  readonly of: DefinitionsOf;
  readonly store: DefinitionStore;
  /** When an earlier process kept it; null where none did, and once it was told what changed since. */
  since: string | null;
  /** As it was read; null where it could not be. */
  readonly read: KnownDefinitions;
  tools: ReadonlyMap<string, KeptTool>;
  /** Null where nothing is held to pins. */
  pins: Pins | null;
  /** What is not told and kept yet. */
  added: readonly string[];
  changed: readonly string[];
  isNews: boolean;
  unreadable: string | null;
}

export async function openWatched(
  store: DefinitionStore,
  of: DefinitionsOf,
  isBlocking: boolean,
): Promise<Watched> {
  const [seen, pinned] = await Promise.all([
    store.read(of, "seen"),
    isBlocking ? store.read(of, "pinned") : null,
  ]);
  const read = knownOf(seen);
  return {
    ...{ of, store, read, tools: read ?? new Map<string, KeptTool>() },
    since: seen.type === "kept" ? seen.at : null,
    pins: pinned === null ? null : readPins(of.server, pinned, seen),
    ...{ added: [], changed: [], isNews: seen.type === "unreadable" },
    unreadable: seen.type === "unreadable" ? seen.reason : null,
  };
}

/** Compares a list with what is known, in memory alone. */
export function compareList(watched: Watched, list: ServerToolList, at: string): void {
  const isUnknown = watched.read === null && watched.tools.size === 0;
  const found = compareDefinitions(isUnknown ? null : watched.tools, serverTools(list), at);
  watched.tools = found.tools;
  watched.added = [...watched.added, ...found.added];
  watched.changed = [...watched.changed, ...found.changed];
  watched.isNews ||= found.isNews;
}

/** The first run with pins makes them, before a tool of the server is used. Rejects with `store_failed`. */
export async function pinFirst(watched: Watched, at: string): Promise<void> {
  if (watched.pins?.type !== "first") return;
  const { store, of } = watched;
  let pins: KeptDefinitions = asPinned(firstPins(watched.read, watched.tools), at);
  await store.update(of, "pinned", (kept) => {
    // Another process was first.
    if (kept.type === "kept") pins = kept;
    return kept.type === "none" ? pins : null;
  });
  await store.update(of, "seen", (kept) => {
    const seen = mergeSeen(kept, watched.tools, new Set(watched.tools.keys()), at);
    return seen === null ? null : { ...seen, pinned: true };
  });
  watched.pins = pinsOf(pins);
}

/** Everything that is listed, as it is now: accepted, and pinned where a run would hold it to that. Rejects with `store_failed`. */
export async function pinNow(watched: Watched, list: ServerToolList, at: string): Promise<void> {
  const { store, of, pins } = watched;
  const names = new Set(list.tools.map(({ name }) => name));
  const tools = [...watched.tools.values()].filter(({ name }) => names.has(name)).map(accepted);
  await store.update(of, "seen", (kept) => {
    if (kept.type === "unreadable" && kept.later) throw new HostError("store_failed", kept.reason);
    const gone = kept.type === "kept" ? kept.tools.filter(({ name }) => !names.has(name)) : [];
    const pinned = pins !== null || (kept.type === "kept" && kept.pinned === true);
    return { at, tools: [...tools, ...gone], ...(pinned ? { pinned } : {}) };
  });
  watched.tools = new Map(tools.map((tool) => [tool.name, tool]));
  if (pins === null) return;
  await store.update(of, "pinned", (kept) => {
    if (kept.type === "unreadable" && kept.later) throw new HostError("store_failed", kept.reason);
    return { at, tools };
  });
  watched.pins = pinsOf({ at, tools });
}

function pinsOf({ at, tools }: KeptDefinitions): Pins {
  return { type: "pinned", at, tools: new Map(tools.map((tool) => [tool.name, tool])) };
}

/** A person has accepted what the tool is now; null when there is nothing to accept. */
export function acceptTool(watched: Watched, tool: CatalogTool): (() => Promise<void>) | null {
  const kept = watched.tools.get(tool.route.tool);
  if (kept?.before === undefined || kept.definitionHash !== tool.definitionHash) return null;
  watched.tools = new Map(watched.tools).set(kept.name, accepted(kept));
  const isSame = (one: KeptTool) => one.name === kept.name && one.definitionHash === kept.definitionHash;
  return () =>
    watched.store.update(watched.of, "seen", (now) => {
      if (now.type !== "kept") return null;
      const tools = now.tools.map((one) => (isSame(one) ? accepted(one) : one));
      return { at: now.at, tools, ...(now.pinned ? { pinned: true } : {}) };
    });
}

function accepted({ before: _, ...tool }: KeptTool): KeptTool {
  return tool;
}

/** What of a server's tools is not as an earlier run left it. */
export interface DefinitionNews {
  readonly since: string;
  readonly added: readonly ToolRoute[];
  readonly changed: readonly ToolRoute[];
}

/** Takes what is news, once; null when nothing is. Warns where nobody can say what was before. */
export function takeNews(watched: Watched, emit: Emit): DefinitionNews | null {
  const { server } = watched.of;
  const routes = (names: readonly string[]) => [...new Set(names)].map((tool) => ({ server, tool }));
  if (watched.unreadable !== null) {
    const text = `Whether tools of server "${server}" changed since they were last used is not known: ${watched.unreadable}`;
    emit({ type: "warning", code: "definitions", text });
  }
  const { since } = watched;
  const [added, changed] = [routes(watched.added), routes(watched.changed)];
  Object.assign(watched, { added: [], changed: [], isNews: false, unreadable: null });
  if (since === null || added.length + changed.length === 0) return null;
  // What changes after that changes in this process, and the catalog tells it.
  watched.since = null;
  return { since, added, changed };
}

/** The server's own tools; what the host adds to them is as the host's version makes it. */
export function serverTools(list: ServerToolList): readonly CatalogTool[] {
  return list.tools.filter(({ method }) => method === undefined).map((tool) => catalogTool(list, tool));
}
