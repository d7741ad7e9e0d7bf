import type { ConversationsCommand } from "../../commands/conversations.ts";
import { wholeNumber } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const conversationsSpec: CommandEntry = defineCommand<ConversationsCommand>({
  name: "conversations",
  section: "Look",
  summary: "the stored conversations, for --continue and purge",
  words: [],
  options: [
    { name: "limit", value: "N", help: "at most so many, the newest (default: 20)" },
    { name: "json", help: "write the list as one JSON document" },
  ],
  about: [
    "Lists the conversations that are kept, the one that was last added to first: its id, when that was, how many turns it has, and its first question.",
  ],
  example: "drawbridge conversations --limit 5",
  exits: { answered: "listed", failed: true },
  read: (words) => ({ limit: wholeNumber(words, "limit", 10_000) ?? 20, json: words.has("json") }),
  load: async () => (await import("../../commands/conversations.ts")).listStored,
});
