import type { ToolsCommand } from "../../commands/tools.ts";
import { readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const toolsSpec: CommandEntry = defineCommand<ToolsCommand>({
  name: "tools",
  section: "Look",
  summary: "list the tools of the servers, and those kept from the model",
  words: [],
  options: [
    { name: "json", help: 'write {"servers", "tools", "quarantined"} as one JSON document' },
    ...serverOptions,
  ],
  about: [
    "Starts the servers, lists their tools and stops them: the name that the model sees, what the server says of the tool, and about how many tokens its definition takes of each request. A tool kept from the model is listed with the reason.",
  ],
  example: 'drawbridge tools --server "npx -y @modelcontextprotocol/server-memory"',
  exits: { answered: "listed", usage: true, serverDown: true },
  read: (words) => ({ json: words.has("json"), flags: readHostFlags(words) }),
  load: async () => (await import("../../commands/tools.ts")).listTools,
});
