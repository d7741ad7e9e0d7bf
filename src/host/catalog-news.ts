import type { ToolChanges } from "../catalog/merge.ts";
import type { Emit } from "../types/events.ts";
import type { CatalogTool, ServerToolList, ToolRoute } from "../types/tool.ts";
import type { DefinitionWatch } from "./definition-watch.ts";
import type { DefinitionNews } from "./watched-definitions.ts";

/** Tells one conversation how its tools change: since an earlier run, and while it goes on. */
interface CatalogNews {
  /** As `DefinitionWatch.look`; before the first list is used, what changed since an earlier run is told. */
  look(lists: readonly ServerToolList[]): Promise<void>;
  blocked(tool: CatalogTool): string | null;
  /** Told of every change of the list that the conversation has. */
  readonly changed: (changes: ToolChanges) => void;
}

/** `emit` is null for somebody who only looks; `misses` says which rules match nothing of what servers have. */
export function createCatalogNews(
  definitions: DefinitionWatch,
  emit: Emit | null,
  misses: (lists: readonly ServerToolList[]) => readonly string[],
): CatalogNews {
  const reasons = new Map<string, string>();
  const told = new Set<string>();
  let seen: readonly ServerToolList[] | null = null;
  let isFirst = true;
  let news: readonly DefinitionNews[] = [];
  const keyOf = ({ server, tool }: ToolRoute) => JSON.stringify([server, tool]);

  return {
    async look(lists) {
      news = await definitions.look(lists, emit);
      if (isFirst) for (const one of news) emit?.({ type: "tools_changed", removed: [], ...one });
      isFirst = false;
      if (emit === null || lists === seen) return;
      seen = lists;
      for (const text of misses(lists)) {
        if (!told.has(text)) emit({ type: "warning", code: "policy", text });
        told.add(text);
      }
    },
    blocked(tool) {
      const reason = definitions.blocked(tool);
      if (reason !== null) reasons.set(keyOf(tool.route), reason);
      return reason;
    },
    changed(changes) {
      if (emit === null) return;
      // The list before was one that an earlier run remembered, and its server has another one now.
      const all = new Set([...changes.added, ...changes.changed].map(keyOf));
      const since = news.find((one) => [...one.added, ...one.changed].some((route) => all.has(keyOf(route))));
      emit({ type: "tools_changed", ...(since === undefined ? {} : { since: since.since }), ...changes });
      for (const route of changes.removed) {
        const reason = reasons.get(keyOf(route));
        if (reason === undefined) continue;
        const text = `${route.server}/${route.tool} is kept from the model: ${reason}.`;
        emit({ type: "warning", code: "definitions", text });
      }
    },
  };
}
