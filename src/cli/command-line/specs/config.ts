import type { ConfigCommand } from "../../commands/config.ts";
import { modelOptions, readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const configSpec: CommandEntry = defineCommand<ConfigCommand>({
  name: "config",
  section: "Set up",
  summary: "the merged configuration, and where each value is from",
  words: [],
  options: [{ name: "json", help: "write it as one JSON document" }, ...serverOptions, ...modelOptions],
  about: [
    "Prints the merged configuration with the file and line, or the option, of every value. Secrets are hidden. Nothing is started.",
  ],
  example: "drawbridge config",
  exits: { answered: "printed", usage: true },
  read: (words) => ({ json: words.has("json"), flags: readHostFlags(words) }),
  load: async () => (await import("../../commands/config.ts")).showConfig,
});
