import { builtinServer, type CatalogTool, type CatalogWarning } from "../types/tool.ts";
import { findLookAlikes, type LookAlike, type Name } from "./look-alikes.ts";
import { indexMentions, mentionedTool, steersAway } from "./mentions.ts";

/**
 * What is odd about the names and descriptions of tools that are offered together: names that look like another server's, and
 * descriptions that speak of another server's tools. None of it keeps a tool back; the order is that of the tools.
 */
export function lintCatalog(tools: readonly CatalogTool[]): readonly CatalogWarning[] {
  const names = tools.map(({ route }): Name => ({ owner: route.server, name: route.tool }));
  const alike = findLookAlikes(names);
  const mentions = indexMentions(tools);
  const ofTools = tools.flatMap((tool, index) => {
    if (tool.route.server === builtinServer) return [];
    const reasons = reasonsOf(tool, alike.get(names[index] as Name), mentions);
    return reasons.map((reason): CatalogWarning => ({ ...tool.route, reason }));
  });
  return [...serverWarnings(tools), ...ofTools];
}

function reasonsOf(
  tool: CatalogTool,
  alike: LookAlike | undefined,
  mentions: ReturnType<typeof indexMentions>,
): string[] {
  const other = mentionedTool(tool, mentions);
  return [
    ...(alike === undefined
      ? []
      : [alikeSentence("Its name", tool.route.tool, alike, `${alike.owner}/${alike.name}`)]),
    ...(other === undefined
      ? []
      : [`Its description names a tool of another server, ${other.route.server}/${other.route.tool}.`]),
    ...(steersAway(tool)
      ? ["Its description tells the model what to make of other tools or instructions."]
      : []),
  ];
}

function serverWarnings(tools: readonly CatalogTool[]): CatalogWarning[] {
  const ids = [...new Set(tools.map(({ route }) => route.server))];
  const names = ids.map((id): Name => ({ owner: id, name: id }));
  const alike = findLookAlikes(names);
  return names.flatMap((name) => {
    const other = alike.get(name);
    if (other === undefined || name.name === builtinServer) return [];
    return [
      { server: name.name, reason: alikeSentence("The name of its server", name.name, other, other.name) },
    ];
  });
}

function alikeSentence(whose: string, name: string, { type }: LookAlike, other: string): string {
  const how = type === "same" ? "looks like" : "is one character away from";
  return `${whose} ${how} ${other}${foreignCharacter(name)}.`;
}

/** Characters beyond ASCII are what nobody sees: the first of them by its number. */
function foreignCharacter(name: string): string {
  const found = [...name.slice(0, 256)].find((character) => (character.codePointAt(0) ?? 0) > 0x7f);
  if (found === undefined) return "";
  const number = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return ` (it has the character U+${number} in it)`;
}

/** The tools with what a person who is asked about them should know; a tool without any stays the same object. */
export function withWarnings(
  tools: readonly CatalogTool[],
  warnings: readonly CatalogWarning[],
): readonly CatalogTool[] {
  if (warnings.length === 0 && tools.every((tool) => tool.warnings === undefined)) return tools;
  const ofServer = new Map<string, string[]>();
  const ofTool = new Map<string, string[]>();
  for (const { server, tool, reason } of warnings) {
    const [map, key] = tool === undefined ? [ofServer, server] : [ofTool, JSON.stringify([server, tool])];
    map.set(key, [...(map.get(key) ?? []), reason]);
  }
  return tools.map((tool) => {
    const { server, tool: name } = tool.route;
    const own = ofTool.get(JSON.stringify([server, name])) ?? [];
    const all = [...own, ...(ofServer.get(server) ?? [])];
    const same = (tool.warnings ?? []).join("\n") === all.join("\n");
    if (same) return tool;
    const { warnings: _, ...rest } = tool;
    return Object.freeze(all.length === 0 ? rest : { ...rest, warnings: Object.freeze(all) });
  });
}
