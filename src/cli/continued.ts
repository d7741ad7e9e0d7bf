import { HostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { count } from "./terminal/units.ts";

/** What `--continue` stands for when no id is given. */
export const newest = "newest";

/** How many stored conversations are looked through for one of this folder. */
const mostListed = 500;

/**
 * The id of the conversation that `--continue` means: the one given, or the person's newest one that began in this
 * folder, which is told.
 * @throws HostError `conversation_unknown`
 */
export async function conversationToContinue(wanted: string, terminal: Terminal): Promise<string> {
  if (wanted !== newest) return wanted;
  const { listConversations } = await import("../index.ts");
  const stored = await listConversations({ limit: mostListed });
  const folder = process.cwd();
  const found = stored.find(({ cwd }) => cwd === folder);
  if (found === undefined) {
    const message = "No conversation of yours began in this folder: ask without --continue, or give its ID.";
    throw new HostError("conversation_unknown", message);
  }
  const turns = found.turns === null ? "" : `, ${count(found.turns, "turn")}`;
  const about = `${found.id}${turns}: ${visibleLine(found.question.slice(0, 60))}`;
  terminal.line(terminal.paint("dim", `  goes on with ${about}`));
  return found.id;
}
