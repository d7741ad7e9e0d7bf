import type { CallCommand } from "../../commands/call.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const callSpec: CommandEntry = defineCommand<CallCommand>({
  name: "call",
  section: "Ask",
  summary: "call one tool yourself, without a model",
  words: [{ name: "SERVER" }, { name: "TOOL" }, { name: "ARGUMENT", optional: true, repeat: true }],
  options: [
    { name: "json", help: "write the answer as one JSON document" },
    { name: "timeout", value: "TIME", help: "longest time: 30s, 5m, 1h, or seconds" },
    ...serverOptions,
  ],
  about: [
    "Starts the one server, calls its tool and prints the answer. The arguments are one JSON object, or key=value (typed by the tool's schema), key:=JSON and key=@FILE. Typing the call is the consent; rules that deny it still hold, and it is recorded like any other.",
  ],
  example: "drawbridge call files read_text_file path=notes.md",
  exits: {
    answered: true,
    failed: "the call ended with an error",
    usage: true,
    serverDown: true,
    interrupted: true,
  },
  read(words) {
    const [server = "", tool = "", ...args] = words.positionals;
    return { server, tool, args, json: words.has("json"), flags: readHostFlags(words) };
  },
  load: async () => (await import("../../commands/call.ts")).callTool,
});
