import type { ReadCommand } from "../../commands/resources.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const readSpec: CommandEntry = defineCommand<ReadCommand>({
  name: "read",
  section: "Ask",
  summary: "print one resource of a server, without a model",
  words: [{ name: "SERVER" }, { name: "URI", optional: true }],
  options: [
    { name: "json", help: "write everything, bytes as base64, as one JSON document" },
    { name: "timeout", value: "TIME", help: "longest time: 30s, 5m, 1h, or seconds" },
    ...serverOptions,
  ],
  about: [
    'Starts the one server, reads the resource and prints its text; without a URI it lists the resources and the templates of their URIs. Typing it is the consent; rules that deny SERVER/"resources/read" still hold, and it is recorded like a call.',
  ],
  example: 'drawbridge read docs "file:///notes.md"',
  exits: { answered: true, failed: true, usage: true, serverDown: true, interrupted: true },
  read(words) {
    const [server = "", uri] = words.positionals;
    return {
      server,
      ...(uri === undefined ? {} : { uri }),
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/resources.ts")).readResource,
});
