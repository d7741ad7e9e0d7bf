import type { TrustCommand } from "../../commands/trust.ts";
import type { UntrustCommand } from "../../commands/untrust.ts";
import { configOptions, readHostFlags } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const trustSpec: CommandEntry = defineCommand<TrustCommand>({
  name: "trust",
  section: "Set up",
  summary: "see what a project's server starts, and agree to it",
  words: [{ name: "SERVER", optional: true }],
  options: [
    {
      name: "annotations",
      help: "also believe what the server says of its own tools (read-only, destructive, …)",
    },
    { name: "yes", help: "agree without being asked" },
    { name: "json", help: "write the result as one JSON document" },
    ...configOptions,
  ],
  about: [
    "A server that a project's file names is not started before you agreed to it. This shows its whole command or URL, and every environment variable with where it goes, and takes your word: it holds as long as nothing of that changes.",
    "Without SERVER it lists the servers that wait, and those you agreed to.",
  ],
  example: "drawbridge trust files",
  exits: { answered: "agreed, or listed", failed: "not agreed", usage: true, interrupted: true },
  read(words) {
    const [server] = words.positionals;
    return {
      ...(server === undefined ? {} : { server }),
      annotations: words.has("annotations"),
      yes: words.has("yes"),
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/trust.ts")).trustServer,
});

export const untrustSpec: CommandEntry = defineCommand<UntrustCommand>({
  name: "untrust",
  section: "Set up",
  summary: "take back every agreement with a server",
  words: [{ name: "SERVER" }],
  options: [{ name: "json", help: "write the result as one JSON document" }, ...configOptions],
  about: [
    "Takes back what drawbridge trust agreed to: the server is asked about again before it is started.",
  ],
  example: "drawbridge untrust files",
  exits: { answered: "taken back", usage: true },
  read: (words) => ({
    server: words.positionals[0] ?? "",
    json: words.has("json"),
    flags: readHostFlags(words),
  }),
  load: async () => (await import("../../commands/untrust.ts")).untrustServer,
});
