import { createInterface } from "node:readline";
import type { RunResult } from "../../types/events.ts";
import { readableText } from "../../util/readable-text.ts";
import { closeHost } from "../close.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { allowAdvice } from "../show/allow-advice.ts";
import { followRun } from "../show/follow-run.ts";
import { summaryLines } from "../show/summary.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ChatCommand } from "./chat-command.ts";
import { readCommand } from "./commands/table.ts";
import { readTypedPrompt } from "./offers/typed-prompt.ts";
import { openSession } from "./open-session.ts";
import { runCommand } from "./run-command.ts";
import { createDecisionNotes, noteResult, type Session } from "./session.ts";

interface LinesContext {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
}

/**
 * A conversation without a terminal: each line of standard input is a message or a command, each answer goes to
 * standard output, everything else to standard error. Nobody can be asked, and no file is added: what is piped in may
 * hold a text from elsewhere. Gives the exit code of the first message that was not answered.
 */
export async function chatByLines(
  command: ChatCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { session } = await openSession(command, { terminal, interrupt, approve: null });
  await settleServers(session, terminal, interrupt);
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = () => lines.close();
  interrupt.signal.addEventListener("abort", stop, { once: true });
  let code: number = exitCodes.answered;
  try {
    for await (const line of lines) {
      if (interrupt.signal.aborted) break;
      if (line.trim() === "") continue;
      const said = await takeLine(line, { session, terminal, interrupt });
      if (said === "leave") break;
      if (code === exitCodes.answered) code = said;
    }
    return interrupt.exitCode() ?? code;
  } finally {
    lines.close();
    interrupt.signal.removeEventListener("abort", stop);
    await closeHost(session.host, terminal);
  }
}

/** What is piped in is there at once: the first message must not be asked before the servers are up. */
async function settleServers({ host }: Session, terminal: Terminal, { signal }: Interrupt): Promise<void> {
  terminal.waitFor("the servers");
  // What goes wrong is told by the first message, which meets it too.
  await host.tools({ signal }).catch(() => {});
  terminal.waitFor(null);
}

const promptNeedsPerson =
  "A prompt of a server is looked at before it is sent, so it needs a terminal. To print it: drawbridge prompt SERVER NAME";

/** Answers one line; gives its exit code. */
async function takeLine(line: string, context: LinesContext): Promise<number | "leave"> {
  const { session, terminal, interrupt } = context;
  const typed = readCommand(line);
  if (typed === null) {
    const ids = session.host.status().map(({ server }) => server);
    if (readTypedPrompt(line.trimEnd(), ids) === null) return say(line, context);
    terminal.line(terminal.paint("red", promptNeedsPerson));
    return exitCodes.failed;
  }
  const left = await runCommand(typed, {
    session,
    paint: terminal.paint,
    columns: Number.POSITIVE_INFINITY,
    cwd: process.cwd(),
    signal: interrupt.signal,
    print: terminal.line,
    ask: null,
  });
  return left ?? exitCodes.answered;
}

async function say(message: string, { session, terminal, interrupt }: LinesContext): Promise<number> {
  const { conversation, model, system } = session;
  const run = conversation.run(message, {
    signal: interrupt.signal,
    system,
    ...(model === null ? {} : { model }),
  });
  const { missingRules } = await followRun(run, terminal, null, createDecisionNotes(session));
  const result = await run.result;
  noteResult(session, result);
  if (result.text !== "") process.stdout.write(`${readableText(result.text)}\n`);
  for (const text of endOf(result, missingRules, terminal)) terminal.line(text);
  return exitCodeOf(result);
}

function endOf(result: RunResult, missingRules: readonly string[], { paint }: Terminal): string[] {
  const text = `Something was denied because nobody could be asked.${allowAdvice(missingRules)}`;
  const denied = paint("yellow", text);
  return [...summaryLines(result, paint), ...(result.unasked > 0 ? [denied] : [])];
}
