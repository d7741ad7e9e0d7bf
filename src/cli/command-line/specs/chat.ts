import type { ChatCommand } from "../../chat/chat-command.ts";
import { continueOption, modelOptions, readHostFlags, serverOptions } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const chatSpec: CommandEntry = defineCommand<ChatCommand>({
  name: "chat",
  section: "Ask",
  summary: "talk to the model, with the tools of your servers",
  words: [],
  options: [continueOption, ...serverOptions, ...modelOptions],
  about: [
    "A conversation at the terminal: answers as they come, tool calls as they run, and a question in place before a tool does something that nobody allowed yet. /help lists what can be typed; @FILE adds a file's text; Ctrl-C stops the turn, and a second one leaves.",
    "Without a terminal each line of standard input is a message.",
  ],
  example: 'drawbridge chat --server "npx -y @modelcontextprotocol/server-memory"',
  exits: {
    answered: "left",
    failed: true,
    usage: true,
    serverDown: true,
    unasked: true,
    limit: true,
    interrupted: true,
  },
  read: (words) => ({
    flags: readHostFlags(words),
    ...(words.has("continue") ? { continue: words.value("continue") ?? "newest" } : {}),
  }),
  load: async () => (await import("../../chat/run-chat.ts")).runChat,
});
