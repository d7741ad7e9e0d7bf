import type { DefinitionThen, KeptTool } from "../types/definitions.ts";
import type { CatalogTool, ServerToolList } from "../types/tool.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { firstPins, type Pins } from "./definition-pins.ts";
import { asPinned } from "./definition-state.ts";
import { serverTools, type Watched } from "./watched-definitions.ts";

/** A tool that is not what it was: without `before` it is new, without `now` it is gone. */
export interface DefinitionDifference {
  readonly tool: string;
  readonly before: DefinitionThen | null;
  readonly now: CatalogTool | null;
}

export interface DefinitionReview {
  readonly pinnedAt: string | null;
  /** Why nobody can say what was pinned, or null. */
  readonly problem: string | null;
  /** By name. */
  readonly differences: readonly DefinitionDifference[];
}

/** How a list that was looked at differs from what was known, or pinned. */
export function reviewList(list: ServerToolList, watched: Watched, at: string): DefinitionReview {
  const { pins } = watched;
  if (pins?.type === "lost") return { pinnedAt: null, problem: pins.problem, differences: [] };
  const differences = pins === null ? unaccepted(list, watched) : fromPins(list, heldPins(watched, pins, at));
  const pinnedAt = pins?.type === "pinned" ? pins.at : null;
  return {
    pinnedAt,
    problem: null,
    differences: differences.sort((a, b) => compareCodeUnits(a.tool, b.tool)),
  };
}

/** What changed and nobody has accepted. */
function unaccepted(list: ServerToolList, { tools }: Watched): DefinitionDifference[] {
  return serverTools(list).flatMap((now) => {
    const before = tools.get(now.route.tool)?.before;
    return before === undefined ? [] : [{ tool: now.route.tool, before, now }];
  });
}

/** What is not as it is pinned. */
function fromPins(list: ServerToolList, pins: Pins): DefinitionDifference[] {
  if (pins.type !== "pinned") return [];
  const listed = new Map(serverTools(list).map((tool) => [tool.route.tool, tool]));
  return [...new Set([...listed.keys(), ...pins.tools.keys()])].flatMap((tool) => {
    const [before, now] = [pins.tools.get(tool) ?? null, listed.get(tool) ?? null];
    return before?.definitionHash === now?.definitionHash ? [] : [{ tool, before, now }];
  });
}

const provisional = new WeakMap<ReadonlyMap<string, KeptTool>, Pins>();

/** The pins; before the first run what that run would pin. */
export function heldPins({ read, tools }: Watched, pins: Pins, at: string): Pins {
  if (pins.type !== "first") return pins;
  const known = provisional.get(tools);
  if (known !== undefined) return known;
  const kept = asPinned(firstPins(read, tools), at).tools;
  const made: Pins = { type: "pinned", at, tools: new Map(kept.map((pin) => [pin.name, pin])) };
  provisional.set(tools, made);
  return made;
}
