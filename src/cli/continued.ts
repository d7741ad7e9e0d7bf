import { HostError } from "../errors.ts";
import type { Conversation, Host } from "../types/host.ts";
import { visibleLine } from "../util/visible.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { count } from "./terminal/units.ts";

/** What `--continue` stands for when no id is given. */
const newest = "newest";

/** How many stored conversations are looked through for one of this folder. */
const mostListed = 500;

/**
 * The id of the conversation that `--continue` means: the one given, or the person's newest one that began in this
 * folder, which is told. Undefined without the option.
 * @throws HostError `conversation_unknown`
 */
export async function conversationToContinue(
  wanted: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  if (wanted !== newest) return wanted;
  const { listConversations } = await import("../index.ts");
  const stored = await listConversations({ limit: mostListed });
  const folder = process.cwd();
  const found = stored.find(({ cwd }) => cwd === folder);
  if (found === undefined) {
    const message =
      "No conversation of yours began in this folder: ask without --continue, or give its ID (drawbridge conversations).";
    throw new HostError("conversation_unknown", message);
  }
  const turns = found.turns === null ? "" : `, ${count(found.turns, "turn")}`;
  const about = `${found.id}${turns}: ${visibleLine(found.question.slice(0, 60))}`;
  terminal.line(terminal.paint("dim", `  goes on with ${about}`));
  return found.id;
}

/**
 * A new conversation, or the stored one, read.
 * @throws HostError `conversation_unknown`, `conversation_in_use`, `store_failed`
 */
export async function openConversation(host: Host, id: string | undefined): Promise<Conversation> {
  if (id === undefined) return host.conversation();
  const conversation = host.conversation({ id });
  try {
    await conversation.load();
  } catch (cause) {
    if (!(cause instanceof HostError) || cause.code !== "conversation_unknown") throw cause;
    const message = `There is no stored conversation ${visibleLine(id.slice(0, 140))} of yours: drawbridge conversations lists them.`;
    throw new HostError("conversation_unknown", message, { cause });
  }
  return conversation;
}
