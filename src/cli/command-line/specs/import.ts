import type { ImportCommand } from "../../commands/import.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const importSpec: CommandEntry = defineCommand<ImportCommand>({
  name: "import",
  section: "Set up",
  summary: "take over the servers that other hosts on this computer have",
  words: [],
  options: [
    { name: "from", value: "HOST", repeat: true, help: "only servers of this host, such as claude-code" },
    { name: "id", value: "ID", repeat: true, help: "write this server" },
    {
      name: "all",
      help: "write every server that is listed; into your own file none that a project's files name",
    },
    { name: "project", help: "into the project's file instead of your own" },
    { name: "force", help: "replace servers of the same id that are different" },
    { name: "dry-run", help: "say what would be written, and write nothing" },
    { name: "json", help: "write what was found and written as one JSON document" },
  ],
  about: [
    "Finds the MCP servers of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Codex, Gemini CLI, opencode, Goose and Zed, and lists each with the file it is from and what could not be carried over. Only what you choose is written. What looks like a secret stays where it is, and the name of a variable is written: look at the list, as not every secret can be known as one.",
  ],
  example: "drawbridge import --from cursor --all --dry-run",
  exits: { answered: "listed, or written", failed: true, usage: true, interrupted: true },
  read: (words) => ({
    from: words.values("from"),
    ids: words.values("id"),
    all: words.has("all"),
    project: words.has("project"),
    force: words.has("force"),
    dryRun: words.has("dry-run"),
    json: words.has("json"),
  }),
  load: async () => (await import("../../commands/import.ts")).runImport,
});
