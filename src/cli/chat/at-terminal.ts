import { toHostError } from "../../errors.ts";
import type { ApprovalRequest } from "../../types/approval.ts";
import type { ElicitationAnswer, ElicitationRequest, Elicitor } from "../../types/elicitation.ts";
import type { RunInput } from "../../types/host.ts";
import { systemClock } from "../../util/clock.ts";
import { visibleLine } from "../../util/visible.ts";
import { createQueue, oneAtATime } from "../approve.ts";
import { closeHost } from "../close.ts";
import { askElicitation } from "../elicit-ask.ts";
import { exitCodes } from "../exit-code.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { type Keyboard, openKeyboard } from "../terminal/keyboard.ts";
import { paintFor } from "../terminal/paint.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { attachFiles } from "./attach.ts";
import type { ChatCommand } from "./chat-command.ts";
import { chatCommands } from "./commands/all.ts";
import { readCommand } from "./commands/table.ts";
import { confirm } from "./confirm.ts";
import { type AskParts, askQuestions } from "./consent/ask.ts";
import { listPaths } from "./editor/list-paths.ts";
import { continuedLines, firstLine } from "./first-screen.ts";
import { remember } from "./history.ts";
import type { HistoryFile } from "./history-file.ts";
import { createOfferCompletion } from "./offers/complete-offer.ts";
import { interruptible } from "./offers/interruptible.ts";
import { readPromptInput } from "./offers/prompt-input.ts";
import { readTypedPrompt, type TypedPrompt } from "./offers/typed-prompt.ts";
import { openSession } from "./open-session.ts";
import { type Prompted, type PromptQuestion, readPrompt } from "./prompt.ts";
import { runCommand } from "./run-command.ts";
import { createDecisionNotes, modelOf, noteResult, type Session } from "./session.ts";
import { endLines } from "./turn/end-line.ts";
import { followTurn } from "./turn/run-turn.ts";
import type { Told } from "./turn/turn-view.ts";
import { watchServers } from "./watch-servers.ts";

/** A chat at a terminal, with all its parts. */
interface Chat {
  readonly session: Session;
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly paint: ReturnType<typeof paintFor>;
  readonly told: Told;
  readonly historyFile: HistoryFile;
  history: readonly string[];
  /** Fires when the chat is over: Ctrl-C twice, or a signal. */
  readonly leaving: AbortController;
  /** Ends the run under way, if there is one. */
  stopRun: () => void;
  asking: boolean;
}

/** A conversation at a terminal; gives the exit code. The terminal is as it was when this resolves or the process ends. */
export async function chatAtTerminal(
  command: ChatCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  let chat: Chat | null = null;
  const { renderQuestion, describeConditions, checkElicitation } = await import("../../index.ts");
  const ask = async (request: ApprovalRequest): Promise<void> => {
    if (chat !== null) await askInChat(chat, request, { renderQuestion, describeConditions });
  };
  const inTurn = createQueue();
  const elicit: Elicitor = async (request) => {
    const asked = await inTurn(request.signal, async () =>
      chat === null ? undefined : elicitInChat(chat, request, checkElicitation),
    );
    return asked ?? { action: "cancel" };
  };
  const context = { terminal, interrupt, approve: oneAtATime(ask, inTurn), elicit };
  const { session, history } = await openSession(command, context);
  try {
    const opened = await openChat(session, history);
    chat = opened;
    // The chat has the screen: what others have to say is shown below it at the end.
    terminal.hold();
    const leave = () => opened.leaving.abort();
    interrupt.signal.addEventListener("abort", leave, { once: true });
    if (interrupt.signal.aborted) leave();
    try {
      return (
        interrupt.exitCode() ?? (await converse(opened)) ?? interrupt.exitCode() ?? exitCodes.interrupted
      );
    } finally {
      interrupt.signal.removeEventListener("abort", leave);
      opened.leaving.abort();
      opened.screen.area([]);
      opened.keyboard.close();
      terminal.release();
    }
  } finally {
    await closeHost(session.host, terminal);
  }
}

async function openChat(session: Session, historyFile: HistoryFile): Promise<Chat> {
  const { stdin, stdout } = process;
  return {
    session,
    screen: createScreen(stdout),
    keyboard: openKeyboard(stdin, stdout),
    paint: paintFor(stdout),
    told: { servers: new Map(), warnings: new Set() },
    historyFile,
    history: await historyFile.load(),
    leaving: new AbortController(),
    stopRun: () => {},
    asking: false,
  };
}

async function askInChat(
  chat: Chat,
  request: ApprovalRequest,
  words: Pick<AskParts, "renderQuestion" | "describeConditions">,
): Promise<void> {
  const { screen, keyboard, paint } = chat;
  chat.asking = true;
  screen.area([]);
  try {
    await askQuestions(request, {
      screen,
      keyboard,
      paint,
      clock: systemClock,
      ...words,
      interrupt: () => chat.stopRun(),
    });
  } finally {
    chat.asking = false;
  }
}

async function elicitInChat(
  chat: Chat,
  request: ElicitationRequest,
  check: typeof import("../../index.ts").checkElicitation,
): Promise<ElicitationAnswer> {
  const { screen, keyboard, paint } = chat;
  const { signal } = request;
  chat.asking = true;
  screen.area([]);
  const interrupt = () => chat.stopRun();
  const parts = { screen, keyboard, paint, clock: systemClock, signal, interrupt };
  try {
    return await askElicitation(request, parts, check);
  } finally {
    chat.asking = false;
  }
}

/** From prompt to prompt. Gives the exit code; null when a signal ended the chat. */
async function converse(chat: Chat): Promise<number | null> {
  const { session, screen, paint, leaving } = chat;
  screen.line(firstLine(session, paint));
  await watchServers({ ...chat, clock: systemClock, signal: leaving.signal });
  for (const line of continuedLines(session.conversation.messages, paint)) screen.line(line);
  let text = "";
  for (;;) {
    const prompted = await prompt(chat, text);
    text = "";
    if (leaving.signal.aborted) return null;
    if (prompted.type === "leave") return prompted.interrupted ? exitCodes.interrupted : exitCodes.answered;
    noteTyped(chat, prompted.text);
    const typed = readCommand(prompted.text);
    const offered = readTypedPrompt(
      prompted.text,
      session.host.status().map(({ server }) => server),
    );
    if (offered !== null) await sayPrompt(chat, offered);
    else if (typed === null) text = await say(chat, prompted.text);
    else if ((await command(chat, typed)) === "leave") return exitCodes.answered;
    if (leaving.signal.aborted) return null;
  }
}

function noteTyped(chat: Chat, text: string): void {
  chat.history = remember(chat.history, text);
  // A failure costs only the history; it is written in order, and nobody waits for it.
  chat.historyFile.add(text).catch(() => {});
}

function prompt(chat: Chat, text: string, question?: PromptQuestion): Promise<Prompted> {
  const { screen, keyboard, paint, leaving, session } = chat;
  return readPrompt({
    screen,
    keyboard,
    paint,
    history: question === undefined ? chat.history : [],
    text,
    signal: leaving.signal,
    ...(question === undefined ? {} : { question }),
    sources: {
      commands: chatCommands.map(({ name }) => name),
      servers: session.host.status().map(({ server }) => server),
      aliases: session.tools?.tools.map(({ alias }) => alias) ?? [],
      files: (prefix) => listPaths(prefix, process.cwd()),
      offers: createOfferCompletion(session.host, leaving.signal),
    },
  });
}

function command(
  { session, screen, keyboard, paint, leaving }: Chat,
  typed: NonNullable<ReturnType<typeof readCommand>>,
): Promise<"leave" | undefined> {
  const { signal } = leaving;
  return runCommand(typed, {
    session,
    paint,
    columns: screen.columns() - 1,
    cwd: process.cwd(),
    signal,
    print: screen.line,
    ask: (question) => confirm(question, { screen, keyboard, clock: systemClock, signal }),
  });
}

/** Sends a message and shows its answer; gives the message back when it was not sent, so that it can be corrected. */
async function say(chat: Chat, message: string): Promise<string> {
  const { session, screen, keyboard, paint, leaving } = chat;
  const attached = await interruptible(keyboard, leaving.signal, (signal) =>
    attachFiles(message, process.cwd(), { host: session.host, signal }),
  );
  if (attached.type === "refused") {
    screen.marked(paint("red", visibleLine(attached.reason)));
    return message;
  }
  for (const added of attached.added) screen.marked(paint("dim", `  ${added}`));
  await send(chat, attached.input);
  return "";
}

/** Has a server fill in its prompt, and sends it once the person has seen it. */
async function sayPrompt(chat: Chat, typed: TypedPrompt): Promise<void> {
  const { session, screen, keyboard, paint, leaving } = chat;
  const { signal } = leaving;
  try {
    const input = await readPromptInput(typed, {
      host: session.host,
      paint,
      signal,
      print: screen.line,
      waiting: (work) => interruptible(keyboard, signal, work),
      async askArgument(label, complete) {
        const answered = await prompt(chat, "", { label, complete });
        return answered.type === "text" ? answered.text.trim() : null;
      },
      confirm: (question) => confirm(question, { screen, keyboard, clock: systemClock, signal }),
    });
    if (input !== null) await send(chat, input);
  } catch (thrown) {
    screen.marked(paint("red", visibleLine(toHostError(thrown).message)));
  }
}

/** Sends a message and shows its answer. */
async function send(chat: Chat, input: RunInput): Promise<void> {
  const { session, screen, keyboard, paint, told, leaving } = chat;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const { signal } = stopping;
  chat.stopRun = stop;
  leaving.signal.addEventListener("abort", stop, { once: true });
  const { conversation, model, system } = session;
  const run = conversation.run(input, { signal, system, ...(model === null ? {} : { model }) });
  const notes = createDecisionNotes(session);
  const { result, thinking } = await followTurn(run, {
    screen,
    keyboard,
    paint,
    told,
    clock: systemClock,
    signal,
    isAsking: () => chat.asking,
    onEvent: notes,
    stop,
    leave() {
      // Once more: the run does not end.
      if (leaving.signal.aborted) process.exit(exitCodes.interrupted);
      leaving.abort();
    },
  });
  leaving.signal.removeEventListener("abort", stop);
  chat.stopRun = () => {};
  noteResult(session, result);
  session.thinking = thinking;
  for (const line of endLines(result, modelOf(session).offline, paint)) screen.marked(line);
  screen.line("");
}
