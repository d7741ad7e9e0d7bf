import { join } from "node:path";
import type { Approver } from "../../types/approval.ts";
import type { Elicitor } from "../../types/elicitation.ts";
import { closeHost } from "../close.ts";
import { conversationToContinue, openConversation } from "../continued.ts";
import { openSettings } from "../settings.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ChatCommand } from "./chat-command.ts";
import { type HistoryFile, openHistoryFile } from "./history-file.ts";
import type { Session } from "./session.ts";

export interface OpenedSession {
  readonly session: Session;
  readonly history: HistoryFile;
}

export interface SessionContext {
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
  /** Null where nobody can be asked. */
  readonly approve: Approver | null;
  /** Without it servers may ask nothing. */
  readonly elicit?: Elicitor;
}

/**
 * Starts the host of a chat. A server that is down does not end it: the person sees which, and goes on with the others.
 * @throws HostError of the settings, the model, or the conversation that is to go on
 */
export async function openSession(command: ChatCommand, context: SessionContext): Promise<OpenedSession> {
  const { terminal, interrupt, approve, elicit } = context;
  const { flags } = command;
  const library = await import("../../index.ts");
  const canAsk = approve !== null && process.stderr.isTTY;
  const { options, loaded } = await openSettings(flags, {
    terminal,
    interrupt,
    canAsk,
    required: false,
    agreed: true,
  });
  const id = await conversationToContinue(command.continue, terminal);
  const host = library.createHost({
    ...options,
    ...(approve === null ? {} : { approve }),
    ...(elicit === undefined ? {} : { elicit }),
  });
  try {
    const conversation = await openConversation(host, id);
    const session: Session = {
      host,
      conversation,
      model: null,
      system: options.system ?? "",
      storing: flags.store,
      runs: [],
      last: null,
      decisions: [],
      thinking: "",
      tools: null,
      waiting: loaded.servers.filter(({ pending, disabled }) => pending && !disabled).map(({ id }) => id),
    };
    const file = flags.store ? join(library.settingsPaths().stateFolder, "chat-history") : null;
    return { session, history: openHistoryFile(file) };
  } catch (thrown) {
    await closeHost(host, terminal);
    throw thrown;
  }
}
