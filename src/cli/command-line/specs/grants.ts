import type { GrantsCommand, GrantsRevokeCommand } from "../../commands/grants.ts";
import { type CommandEntry, defineCommand, usageError } from "../spec.ts";

export const grantsSpec: CommandEntry = defineCommand<GrantsCommand>({
  name: "grants list",
  section: "Look",
  summary: "list the tools that you have always allowed",
  words: [],
  options: [{ name: "json", help: "write the grants as one JSON document" }],
  about: [
    "A grant holds for one tool of one server as it was when you allowed it: when the tool's definition, the server's command or its environment changes, you are asked again, and the question says what changed.",
  ],
  example: "drawbridge grants list",
  exits: { answered: "listed" },
  read: (words) => ({ json: words.has("json") }),
  load: async () => (await import("../../commands/grants.ts")).showGrants,
});

export const grantsRevokeSpec: CommandEntry = defineCommand<GrantsRevokeCommand>({
  name: "grants revoke",
  section: "Look",
  summary: "take back what you have always allowed",
  words: [{ name: "ID|SERVER[/TOOL]", optional: true }],
  options: [
    { name: "all", help: "all of yours" },
    { name: "json", help: "write the ids of what was taken back as one JSON document" },
  ],
  about: ["Programs that run now are bound to it with their next call."],
  example: "drawbridge grants revoke notes/read_note",
  exits: { answered: "taken back", failed: "there is no such grant", usage: true },
  read(words) {
    const [target, more] = words.positionals;
    if (more !== undefined) throw usageError("Take one id, server or server/tool at a time.");
    if ((target === undefined) === !words.has("all")) {
      throw usageError("Which grants? Give an id, a server or server/tool, or --all.");
    }
    return { target: target ?? null, json: words.has("json") };
  },
  load: async () => (await import("../../commands/grants.ts")).revoke,
});
