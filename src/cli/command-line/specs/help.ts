import type { CommandEntry } from "../spec.ts";

export const helpSpec: CommandEntry = {
  name: "help",
  section: "Shell",
  summary: "what the commands are, or more about one of them",
  words: [{ name: "COMMAND", optional: true, repeat: true }],
  options: [],
  about: ["Prints the same as drawbridge COMMAND --help."],
  example: "drawbridge help run",
  parse: ({ positionals }) => ({ type: "help", topic: positionals.join(" ") }),
};
