import type { DefinitionsReading, DefinitionThen, KeptDefinitions, KeptTool } from "../types/definitions.ts";
import type { CatalogTool } from "../types/tool.ts";

/** Definitions of tools that their servers list no more; a tool that comes back is compared with what it was. */
const mostGone = 2_000;

/** What a new list says beside what was known. */
export interface Comparison {
  readonly tools: ReadonlyMap<string, KeptTool>;
  /** Raw names that were not known, although others of the server were. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Whether anything has to be kept anew. */
  readonly isNews: boolean;
}

/** What was known of a server's tools, by raw name; null where it cannot be read. */
export type KnownDefinitions = ReadonlyMap<string, KeptTool> | null;

export function knownOf(reading: DefinitionsReading): KnownDefinitions {
  if (reading.type === "unreadable") return null;
  return new Map(reading.type === "none" ? [] : reading.tools.map((tool) => [tool.name, tool]));
}

/** Compares a server's tools with what was known of them. A change stays one until a person has accepted it. */
export function compareDefinitions(
  known: KnownDefinitions,
  listed: readonly CatalogTool[],
  now: string,
): Comparison {
  const tools = new Map(known ?? []);
  const added: string[] = [];
  const changed: string[] = [];
  for (const { route, definition, definitionHash } of listed) {
    const name = route.tool;
    const old = tools.get(name);
    if (old?.definitionHash === definitionHash) continue;
    const fresh: KeptTool = { name, definitionHash, at: now, definition };
    if (old === undefined) {
      tools.set(name, known === null ? { ...fresh, before: unknownBefore } : fresh);
      added.push(name);
      continue;
    }
    const before = old.before ?? thenOf(old);
    // What came back to what a person knows is no change.
    tools.set(name, before.definitionHash === definitionHash ? fresh : { ...fresh, before });
    changed.push(name);
  }
  const isFirst = known === null || known.size === 0;
  return { tools, added: isFirst ? [] : added, changed, isNews: added.length + changed.length > 0 };
}

/** Nobody can say what it was. */
const unknownBefore: DefinitionThen = { definitionHash: "", at: "", definition: null };

function thenOf({ definitionHash, at, definition }: KeptTool): DefinitionThen {
  return { definitionHash, at, definition };
}

/** What is to be kept: our news put over what another process may have kept meanwhile. */
export function mergeSeen(
  now: DefinitionsReading,
  news: ReadonlyMap<string, KeptTool>,
  listed: ReadonlySet<string>,
  at: string,
): KeptDefinitions | null {
  if (now.type === "unreadable" && now.later) return null;
  const base = now.type === "kept" ? now : { tools: [] };
  const tools = new Map(base.tools.map((tool) => [tool.name, tool]));
  for (const [name, tool] of news) {
    // The same change, which somebody may have accepted there.
    if (tools.get(name)?.definitionHash !== tool.definitionHash) tools.set(name, tool);
  }
  const all = [...tools.values()];
  const gone = all.filter(({ name }) => !listed.has(name)).slice(-mostGone);
  const kept = [...all.filter(({ name }) => listed.has(name)), ...gone];
  return { at, tools: kept, ...(now.type === "kept" && now.pinned ? { pinned: true } : {}) };
}

/** The tools as they are, without what they were. */
export function asPinned(tools: Iterable<KeptTool>, at: string): KeptDefinitions {
  const pins = [...tools].map(({ name, before, ...then }): KeptTool => ({ name, ...(before ?? then) }));
  return { at, tools: pins };
}
