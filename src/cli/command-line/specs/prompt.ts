import type { PromptCommand } from "../../commands/prompts.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const promptSpec: CommandEntry = defineCommand<PromptCommand>({
  name: "prompt",
  section: "Ask",
  summary: "print one prompt of a server, filled in, without a model",
  words: [
    { name: "SERVER" },
    { name: "NAME", optional: true },
    { name: "ARGUMENT", optional: true, repeat: true },
  ],
  options: [
    { name: "json", help: "write it as one JSON document" },
    { name: "timeout", value: "TIME", help: "longest time: 30s, 5m, 1h, or seconds" },
    ...serverOptions,
  ],
  about: [
    'Starts the one server, has it fill in the prompt and prints its messages; without a NAME it lists the prompts. Arguments are name=value. Rules that deny SERVER/"prompts/get" hold, and it is recorded like a call. In a chat /SERVER:NAME sends it to the model.',
  ],
  example: "drawbridge prompt docs summarize file=notes.md",
  exits: { answered: true, failed: true, usage: true, serverDown: true, interrupted: true },
  read(words) {
    const [server = "", name, ...args] = words.positionals;
    return {
      server,
      ...(name === undefined ? {} : { name }),
      args,
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/prompts.ts")).fillPrompt,
});
