import type { Approver } from "../types/approval.ts";
import { systemClock } from "../util/clock.ts";
import { type AskParts, askQuestions } from "./chat/consent/ask.ts";
import { openKeyboard } from "./chat/keyboard.ts";
import { createScreen } from "./chat/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";

export interface ApproverParts {
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly renderQuestion: AskParts["renderQuestion"];
  /** Ctrl-C at a question. */
  readonly interrupt: () => void;
}

/** Asks the person at the terminal, one question after the other, on standard error. */
export function createTerminalApprover(parts: ApproverParts): Approver {
  const { terminal, input, output, renderQuestion, interrupt } = parts;
  return oneAtATime(async (request) => {
    terminal.hold();
    const keyboard = openKeyboard(input, output);
    const screen = createScreen(output);
    try {
      const { paint } = terminal;
      await askQuestions(request, { screen, keyboard, clock: systemClock, paint, renderQuestion, interrupt });
    } finally {
      screen.area([]);
      keyboard.close();
      terminal.release();
    }
  });
}

/** Questions of several runs share one screen: each waits for those before it. */
export function oneAtATime(ask: (request: Parameters<Approver>[0]) => Promise<void>): Approver {
  let queue = Promise.resolve();
  return (request) => {
    const asked = queue.then(() => (request.signal.aborted ? undefined : ask(request)));
    queue = asked.catch(() => {});
    return asked;
  };
}
