import type { CommandEntry, OptionSpec } from "../spec.ts";
import { commands, commonOptions } from "../table.ts";

/** What may stand in one place of the command line, with its description. */
export interface Offer {
  readonly word: string;
  readonly help: string;
}

/** The words that may follow `drawbridge`: a word of several commands has the help of the first. */
export function firstOffers(): readonly Offer[] {
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = ""] = name.split(" ", 1);
    if (!found.has(first)) found.set(first, summary);
  }
  return [...found].map(([word, help]) => ({ word, help }));
}

/** The second words of commands that have two, by their first. */
export function secondOffers(): ReadonlyMap<string, readonly Offer[]> {
  const found = new Map<string, Offer[]>();
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second === undefined) continue;
    found.set(first, [...(found.get(first) ?? []), { word: second, help: summary }]);
  }
  return found;
}

export function optionsOf(command: CommandEntry): readonly OptionSpec[] {
  return [...command.options, ...commonOptions.filter(({ name }) => name === "help")];
}

/** The words that a command's own words may be, where they are known. */
export function wordOffers(command: CommandEntry): readonly string[] {
  const listed = command.words.flatMap(({ complete }) => (Array.isArray(complete) ? complete : []));
  return command.name === "help" ? firstOffers().map(({ word }) => word) : listed;
}
