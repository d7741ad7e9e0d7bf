import type { DefinitionsReading, KeptTool } from "../types/definitions.ts";
import type { CatalogTool } from "../types/tool.ts";
import { shellWord } from "../util/shell-word.ts";
import { type KnownDefinitions, knownOf } from "./definition-state.ts";

/** What the tools of a server are held to. */
export type Pins =
  /** Nothing was ever pinned: what is there now, or was last seen, is the pin. */
  | { readonly type: "first" }
  | { readonly type: "pinned"; readonly at: string; readonly tools: ReadonlyMap<string, KeptTool> }
  /** They were there and cannot be read: nobody can say what was pinned, so nothing is used. */
  | { readonly type: "lost"; readonly problem: string };

/** Tells pins that never were from pins that are gone: what was seen says that there are pins. */
export function readPins(server: string, pinned: DefinitionsReading, seen: DefinitionsReading): Pins {
  const lost = (why: string): Pins => ({
    type: "lost",
    problem: `what the tools of server "${server}" were pinned as is not known: ${why} See its tools as they are now, and pin them anew, with \`${pinCommand(server)}\``,
  });
  if (pinned.type === "unreadable") return lost(pinned.reason);
  if (pinned.type === "kept") return { type: "pinned", at: pinned.at, tools: knownOf(pinned) ?? new Map() };
  if (seen.type === "unreadable") return lost(seen.reason);
  return seen.type === "kept" && seen.pinned ? lost("the pins were removed.") : { type: "first" };
}

/** Why a tool is kept from the model, or null. */
export function whyBlocked(tool: CatalogTool, pins: Pins): string | null {
  if (pins.type === "first") return null;
  if (pins.type === "lost") return pins.problem;
  const { server, tool: name } = tool.route;
  const pin = pins.tools.get(name);
  if (pin?.definitionHash === tool.definitionHash) return null;
  const what = pin === undefined ? "it is new" : "its definition changed";
  const since = `since the tools of its server were pinned on ${pins.at.slice(0, 10)}`;
  return `${what} ${since}; \`${pinCommand(server)}\` shows what is different and accepts it`;
}

/** What is pinned first: what a person has used so far, else what is there. */
export function firstPins(
  known: KnownDefinitions,
  tools: ReadonlyMap<string, KeptTool>,
): readonly KeptTool[] {
  return [...(known === null || known.size === 0 ? tools : known).values()];
}

function pinCommand(server: string): string {
  return `drawbridge tools ${shellWord(server)} --pin`;
}
