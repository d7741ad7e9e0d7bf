import type { CatalogTool } from "../types/tool.ts";

const longest = 128;
const leastLikeness = 0.35;

/**
 * The aliases that look most like a name, best first, at most five. Likeness is the share of common letter pairs
 * (Dice), with the alias or with the raw tool name: linear, and it finds both typos and left-out prefixes.
 */
export function nearestNames(name: string, tools: readonly CatalogTool[]): string[] {
  const wanted = pairs(name);
  return tools
    .filter((tool) => tool.listed)
    .map((tool) => ({
      alias: tool.alias,
      likeness: Math.max(likeness(wanted, pairs(tool.alias)), likeness(wanted, pairs(tool.route.tool))),
    }))
    .filter((candidate) => candidate.likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 5)
    .map((candidate) => candidate.alias);
}

function pairs(name: string): Set<string> {
  const text = ` ${name.slice(0, longest).toLowerCase()} `.replaceAll(/[_\-./:]+/g, " ");
  return new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}
