import type { FoundServer } from "../../types/found-servers.ts";
import type { Json } from "../../types/json.ts";
import { builtinServer } from "../../types/tool.ts";
import { stableJson } from "../../util/stable-json.ts";

/**
 * Servers that are the same in several files become one with all its sources. Of those that share an id but differ,
 * the first keeps it; the others get their host's name behind it: `github-cursor`, then `github-cursor-2`.
 */
export function mergeFound(servers: readonly FoundServer[]): FoundServer[] {
  const merged = new Map<string, FoundServer>();
  for (const server of servers) {
    const key = stableJson([server.id, (server.config ?? null) as Json, server.blocked ?? null]);
    const same = merged.get(key);
    merged.set(key, same === undefined ? server : joined(same, server));
  }
  const taken = new Set<string>([builtinServer]);
  return [...merged.values()].map((server) => {
    const id = freeId(server, taken);
    taken.add(id);
    return { ...server, id };
  });
}

function joined(one: FoundServer, other: FoundServer): FoundServer {
  return {
    ...one,
    sources: [...one.sources, ...other.sources],
    notes: [...new Set([...one.notes, ...other.notes])],
  };
}

function freeId({ id, sources }: FoundServer, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  const host = (sources[0]?.host ?? "").toLowerCase().replaceAll(" ", "-");
  for (let count = 1; ; count += 1) {
    const other = `${id}-${host}${count === 1 ? "" : `-${count}`}`;
    if (!taken.has(other)) return other;
  }
}
