import type { ToolsCommand } from "../../commands/tools.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand, usageError } from "../spec.ts";

export const toolsSpec: CommandEntry = defineCommand<ToolsCommand>({
  name: "tools",
  section: "Look",
  summary: "list the tools of the servers, and those kept from the model",
  words: [{ name: "SERVER", optional: true }],
  options: [
    { name: "pin", help: "see what changed of SERVER's tools, and accept them as they are now" },
    { name: "yes", help: "with --pin: accept without being asked" },
    {
      name: "json",
      help: 'write {"servers", "tools", "quarantined", "warnings", "drift"} as one JSON document',
    },
    ...serverOptions,
  ],
  about: [
    "Starts the servers, lists their tools and stops them: the name that the model sees, what the server says of the tool, and about how many tokens its definition takes of each request. A tool kept from the model is listed with the reason.",
    "Behind them: names that look like those of another server, and what changed since the tools were last used. With SERVER only its tools are listed.",
  ],
  example: 'drawbridge tools --server "npx -y @modelcontextprotocol/server-memory"',
  exits: { answered: "listed, or accepted", failed: "not accepted", usage: true, serverDown: true },
  read(words) {
    const [server] = words.positionals;
    const [pin, yes] = [words.has("pin"), words.has("yes")];
    if (pin && server === undefined) throw usageError("Which server? drawbridge tools SERVER --pin");
    if (yes && !pin) throw usageError("--yes is for --pin.");
    return {
      ...(server === undefined ? {} : { server }),
      ...{ pin, yes, json: words.has("json"), flags: readHostFlags(words) },
    };
  },
  load: async () => (await import("../../commands/tools.ts")).listTools,
});
