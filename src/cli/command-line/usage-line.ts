import type { CommandEntry, WordSpec } from "./spec.ts";

/** The command with its words: `drawbridge call SERVER TOOL`. */
export function usageOf(command: CommandEntry): string {
  return ["drawbridge", command.name, ...command.words.map(wordText)].join(" ");
}

function wordText({ name, optional, repeat }: WordSpec): string {
  const text = repeat === true && !name.startsWith('"') ? `${name} …` : name;
  return optional === true ? `[${text}]` : text;
}
