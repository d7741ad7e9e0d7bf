import type { RunCatalog } from "../types/ports.ts";
import type { CatalogTool, QuarantinedTool, ServerToolList, ToolRoute, ToolSnapshot } from "../types/tool.ts";
import { catalogTool } from "./definition.ts";
import { lintCatalog, withWarnings } from "./lint.ts";
import { admit, merge, type ToolChanges } from "./merge.ts";
import { searchTools } from "./search-tools.ts";

export interface CatalogSettings {
  /** Tools of the host's own: always first. */
  readonly builtin: ServerToolList;
  /** The lists for a turn; the same array, by identity, when nothing changed. */
  readonly lists: (signal: AbortSignal) => Promise<readonly ServerToolList[]>;
  /** The lists as they are known now. */
  readonly current: () => readonly ServerToolList[];
  /** Reads the list of a server again that said that it changed; null when it is up to date, or cannot be read. */
  readonly refresh?: (server: string, signal: AbortSignal) => Promise<void> | null;
  /** Why a tool is kept from the model, or null. */
  readonly keptBack: (route: ToolRoute, tool: CatalogTool) => string | null;
  /** Told of every change after the first snapshot. */
  readonly onChange: (changes: ToolChanges) => void;
}

/** The catalog of a conversation, with what it said last. */
export interface ConversationCatalog extends RunCatalog {
  /** The newest snapshot; null before the first. Asks nobody. */
  latest(): ToolSnapshot | null;
}

/** The tools of one conversation: an ordered list that only grows at its end, changed at turn boundaries alone. */
export function createRunCatalog(settings: CatalogSettings): ConversationCatalog {
  let from: readonly ServerToolList[] | undefined;
  let latest: ToolSnapshot | undefined;
  const builtin = { ...settings.builtin, tools: [...settings.builtin.tools, ...searchTools.tools] };
  const keptBack = (route: ToolRoute, tool: CatalogTool) =>
    route.server === settings.builtin.server ? null : settings.keptBack(route, tool);

  function first(lists: readonly ServerToolList[]): ToolSnapshot {
    const own = admit([settings.builtin], keptBack);
    const theirs = admit(lists, keptBack);
    return frozenSnapshot(1, [...own.tools, ...theirs.tools], theirs.quarantined);
  }

  function next(before: ToolSnapshot, lists: readonly ServerToolList[]): ToolSnapshot {
    const { tools, quarantined, changes } = merge(before.tools, [settings.builtin, ...lists], keptBack);
    if (changes.added.length + changes.removed.length + changes.changed.length === 0) return before;
    settings.onChange(changes);
    return frozenSnapshot(before.version + 1, tools, quarantined);
  }

  return {
    async snapshot(signal) {
      const lists = await settings.lists(signal);
      if (latest === undefined) latest = first(lists);
      else if (lists !== from) latest = next(latest, lists);
      from = lists;
      return latest;
    },
    current: (route) => find([builtin, ...settings.current()], route),
    refresh: (route, signal) => settings.refresh?.(route.server, signal) ?? null,
    keptBack: (tool) => keptBack(tool.route, tool),
    latest: () => latest ?? null,
  };
}

function frozenSnapshot(
  version: number,
  merged: readonly CatalogTool[],
  quarantined: readonly QuarantinedTool[],
): ToolSnapshot {
  const warnings = lintCatalog(merged.filter((tool) => tool.listed));
  const tools = withWarnings(merged, warnings);
  // Calls may name what is in the list only of a model that has no room for all tools.
  const finders = searchTools.tools.map((tool) => catalogTool(searchTools, tool));
  return Object.freeze({
    version,
    tools: Object.freeze([...tools]),
    byAlias: new Map([...finders, ...tools].map((tool) => [tool.alias, tool])),
    quarantined: Object.freeze([...quarantined]),
    ...(warnings.length === 0 ? {} : { warnings: Object.freeze(warnings) }),
  });
}

function find(lists: readonly ServerToolList[], route: ToolRoute): CatalogTool | null {
  const list = lists.find((candidate) => candidate.server === route.server);
  const tool = list?.tools.find((candidate) => candidate.name === route.tool);
  return list === undefined || tool === undefined ? null : catalogTool(list, tool);
}
