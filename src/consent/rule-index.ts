import type { ToolRoute } from "../types/tool.ts";
import { inOrderOfStrictness } from "./deciding-rule.ts";
import { matchesGlob } from "./glob.ts";
import type { Rule, RuleTier } from "./rules.ts";

/** Rules of each tier, in order of strictness. */
export type TieredRules = Readonly<Record<RuleTier, readonly Rule[]>>;

/** Rules by the names they are written for: most name their server, and many their tool. */
interface Shelf {
  readonly byTool: Map<string, number[]>;
  readonly anyTool: number[];
}

/**
 * Finds the rules whose names fit a tool. What was found is kept for as long as the route is, so that a decision looks
 * at conditions only; for a tool not seen before, rules of other servers and tools cost nothing.
 */
export function createRuleIndex(rules: readonly Rule[]): (route: ToolRoute) => TieredRules {
  const ordered = inOrderOfStrictness(rules);
  const byServer = new Map<string, Shelf>();
  const anyServer: Shelf = { byTool: new Map(), anyTool: [] };
  for (const [place, rule] of ordered.entries()) shelve(rule, place, byServer, anyServer);
  const known = new WeakMap<ToolRoute, TieredRules>();

  function find({ server, tool }: ToolRoute): TieredRules {
    const shelves = [byServer.get(server), anyServer].filter((shelf) => shelf !== undefined);
    const places = shelves.flatMap(({ byTool, anyTool }) => [...(byTool.get(tool) ?? []), ...anyTool]);
    const fitting = places
      .sort((a, b) => a - b)
      .flatMap((place) => ordered[place] ?? [])
      .filter((rule) => matchesGlob(rule.server, server) && matchesGlob(rule.tool, tool));
    return byTier(fitting);
  }

  return (route) => {
    let found = known.get(route);
    if (found === undefined) {
      found = find(route);
      known.set(route, found);
    }
    return found;
  };
}

function shelve(rule: Rule, place: number, byServer: Map<string, Shelf>, anyServer: Shelf): void {
  let shelf = anyServer;
  if (rule.server.exact !== null) {
    shelf = byServer.get(rule.server.exact) ?? { byTool: new Map(), anyTool: [] };
    byServer.set(rule.server.exact, shelf);
  }
  if (rule.tool.exact === null) {
    shelf.anyTool.push(place);
    return;
  }
  const places = shelf.byTool.get(rule.tool.exact) ?? [];
  places.push(place);
  shelf.byTool.set(rule.tool.exact, places);
}

/** Keeps the order in each tier. */
export function byTier(rules: readonly Rule[]): TieredRules {
  const tiers: Record<RuleTier, Rule[]> = { administrator: [], user: [], project: [] };
  for (const rule of rules) tiers[rule.tier].push(rule);
  return tiers;
}
