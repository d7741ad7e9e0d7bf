import type { PathsCommand } from "../../commands/paths.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const pathsSpec: CommandEntry = defineCommand<PathsCommand>({
  name: "paths",
  section: "Look",
  summary: "where the config, the audit log and the conversations are",
  words: [],
  options: [{ name: "json", help: 'write [{"name", "path", "exists"}] as one JSON document' }],
  about: [
    "Prints every file and folder that is read or written, and whether it is there. DRAWBRIDGE_HOME in the environment puts everything but a project's files below that folder.",
  ],
  example: "drawbridge paths",
  read: (words) => ({ json: words.has("json") }),
  load: async () => (await import("../../commands/paths.ts")).runPaths,
});
