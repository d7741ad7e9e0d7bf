import type { InitCommand } from "../../commands/init.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const initSpec: CommandEntry = defineCommand<InitCommand>({
  name: "init",
  section: "Set up",
  summary: "make a config file with comments",
  words: [],
  options: [{ name: "user", help: "your own file, for every folder, instead of this project's" }],
  about: [
    "Makes drawbridge.json in this folder, with comments that say what can stand there, and offers the servers that other hosts have. A file that is there already is left alone.",
  ],
  example: "drawbridge init --user",
  exits: { answered: "made", failed: true, usage: "the file is there already", interrupted: true },
  read: (words) => ({ user: words.has("user") }),
  load: async () => (await import("../../commands/init.ts")).runInit,
});
