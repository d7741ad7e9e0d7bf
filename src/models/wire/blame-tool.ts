import type { Culprit } from "../repair.ts";
import type { EncodedTools } from "./tools.ts";

/** How APIs name a tool that they refuse: by its place in the request, or by its name. */
const places: readonly RegExp[] = [
  // Before the list that holds it: `tools[0].function_declarations[1]`.
  /\bfunction_declarations\[(?<index>\d{1,6})\]/,
  /\btools(?:\[|\.)(?<index>\d{1,6})\b/,
];
const names: readonly RegExp[] = [
  /\bfunction ['"`](?<name>[\w.:-]{1,128})['"`]/,
  /\btool ['"`](?<name>[\w.:-]{1,128})['"`]/i,
];

/** The tool that a refusal names, or nothing. */
export function blameTool(words: string, { tools }: EncodedTools): readonly Culprit[] {
  for (const pattern of names) {
    const name = pattern.exec(words)?.groups?.name;
    const named = tools.find(({ alias }) => alias === name);
    if (named !== undefined) return [{ type: "tool", alias: named.alias }];
  }
  for (const pattern of places) {
    const index = pattern.exec(words)?.groups?.index;
    const placed = index === undefined ? undefined : tools[Number(index)];
    if (placed !== undefined) return [{ type: "tool", alias: placed.alias }];
  }
  return [];
}
