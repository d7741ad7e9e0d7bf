import type { CatalogTool, QuarantinedTool, ServerToolList, ToolRoute } from "../types/tool.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { catalogTool } from "./definition.ts";

/** What a new reading of the lists changed. */
export interface ToolChanges {
  readonly added: readonly ToolRoute[];
  readonly removed: readonly ToolRoute[];
  readonly changed: readonly ToolRoute[];
}

export interface Merged {
  readonly tools: readonly CatalogTool[];
  readonly quarantined: readonly QuarantinedTool[];
  readonly changes: ToolChanges;
}

/** Tools in the one order that depends on nothing but their names: by server id, then by raw name, as code units. */
function inOrder(tools: readonly CatalogTool[]): CatalogTool[] {
  return [...tools].sort(
    (a, b) =>
      compareCodeUnits(a.route.server, b.route.server) || compareCodeUnits(a.route.tool, b.route.tool),
  );
}

/** The tools of all lists that may be shown, in order; the second of two with one alias is quarantined. */
export function admit(
  lists: readonly ServerToolList[],
  keptBack: (route: ToolRoute, tool: CatalogTool) => string | null,
): { tools: CatalogTool[]; quarantined: QuarantinedTool[] } {
  const quarantined = lists.flatMap((list) => list.quarantined);
  const all = inOrder(lists.flatMap((list) => list.tools.map((tool) => catalogTool(list, tool))));
  const byAlias = new Map<string, CatalogTool>();
  for (const tool of all) {
    const other = byAlias.get(tool.alias);
    const reason = keptBack(tool.route, tool);
    if (reason !== null) quarantined.push({ ...tool.route, reason });
    else if (other !== undefined) quarantined.push({ ...tool.route, reason: sameName(other) });
    else byAlias.set(tool.alias, tool);
  }
  return { tools: [...byAlias.values()], quarantined };
}

function sameName(other: CatalogTool): string {
  return `would have the same name for the model as ${other.route.server}/${other.route.tool}`;
}

/**
 * The next list: what is known keeps its place, new tools are appended in order, and what is gone stays where it was,
 * marked as no longer listed, so that the beginning of the list never changes by itself.
 */
export function merge(
  known: readonly CatalogTool[],
  lists: readonly ServerToolList[],
  keptBack: (route: ToolRoute, tool: CatalogTool) => string | null,
): Merged {
  const { tools, quarantined } = admit(lists, keptBack);
  const fresh = new Map(tools.map((tool) => [tool.alias, tool]));
  const changes = { added: [] as ToolRoute[], removed: [] as ToolRoute[], changed: [] as ToolRoute[] };
  const kept = known.map((old) => {
    const now = fresh.get(old.alias);
    fresh.delete(old.alias);
    if (now === undefined) {
      if (!old.listed) return old;
      changes.removed.push(old.route);
      return { ...old, listed: false };
    }
    const same = now.definitionHash === old.definitionHash && now.configHash === old.configHash;
    if (same && old.listed && now.trusted === old.trusted) return old;
    (old.listed ? changes.changed : changes.added).push(old.route);
    return now;
  });
  for (const tool of fresh.values()) changes.added.push(tool.route);
  return { tools: [...kept, ...fresh.values()], quarantined, changes };
}
