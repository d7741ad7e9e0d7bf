import type { PurgeCommand } from "../../commands/purge.ts";
import { type CommandEntry, defineCommand, usageError, type Words } from "../spec.ts";
import { quoted } from "../words.ts";

function readWhich(words: Words): PurgeCommand["which"] {
  const ids = words.positionals;
  const age = words.value("older-than");
  const ways = [ids.length > 0, age !== undefined, words.has("all")].filter(Boolean).length;
  if (ways > 1) throw usageError("Take one of ids, --older-than and --all.");
  if (ways === 0) {
    throw usageError("Which conversations? Give their ids, --older-than 30d, or --all.");
  }
  if (ids.length > 0) return { ids };
  if (age === undefined) return { all: true };
  const days = /^(\d{1,5})d?$/.exec(age)?.[1];
  if (days === undefined) throw usageError(`--older-than takes days, such as 30d, not ${quoted(age)}.`);
  return { olderThanDays: Number(days) };
}

export const purgeSpec: CommandEntry = defineCommand<PurgeCommand>({
  name: "purge",
  section: "Look",
  summary: "remove stored conversations",
  words: [{ name: "ID", optional: true, repeat: true }],
  options: [
    { name: "older-than", value: "DAYS", help: "those that nothing was added to for so long, such as 30d" },
    { name: "all", help: "all of yours" },
    { name: "dry-run", help: "say what would go, and remove nothing" },
    { name: "yes", help: "do not ask" },
    { name: "json", help: "write the report as one JSON document" },
  ],
  about: [
    "Removes stored conversations of this account, with the outputs that were kept aside for them. It asks first. The audit log stays, and so does a conversation that another process is writing.",
    "What nothing was added to for 30 days goes by itself.",
  ],
  example: "drawbridge purge --older-than 7d",
  exits: {
    answered: "removed, or nothing to remove",
    failed: "an id is unknown, or the answer was no",
    usage: true,
  },
  read: (words) => ({
    which: readWhich(words),
    dryRun: words.has("dry-run"),
    yes: words.has("yes"),
    json: words.has("json"),
  }),
  load: async () => (await import("../../commands/purge.ts")).purge,
});
