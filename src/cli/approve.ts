import type { ApprovalRequest, Approver } from "../types/approval.ts";
import { systemClock } from "../util/clock.ts";
import { type AskParts, askQuestions } from "./chat/consent/ask.ts";
import { type Keyboard, openKeyboard } from "./terminal/keyboard.ts";
import { createScreen, type Screen } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";

export interface ApproverParts {
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly renderQuestion: AskParts["renderQuestion"];
  readonly describeConditions: AskParts["describeConditions"];
  /** Ctrl-C at a question. */
  readonly interrupt: () => void;
}

/** Whatever asks at one terminal: each waits for those before it. Undefined: nobody waits for the answer any more. */
export type Queue = <T>(signal: AbortSignal, ask: () => Promise<T>) => Promise<T | undefined>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, ask) => {
    const asked = last.then(() => (signal.aborted ? undefined : ask()));
    last = asked.catch(() => {});
    return asked;
  };
}

/** Asks the person at the terminal, one question after the other, on standard error. */
export function createTerminalApprover(parts: ApproverParts, inTurn: Queue = createQueue()): Approver {
  const { terminal, renderQuestion, describeConditions, interrupt } = parts;
  const { paint } = terminal;
  const ask = (request: ApprovalRequest) =>
    onOwnScreen(parts, ({ screen, keyboard }) =>
      askQuestions(request, {
        ...{ screen, keyboard, clock: systemClock, paint },
        ...{ renderQuestion, describeConditions, interrupt },
      }),
    );
  return oneAtATime(ask, inTurn);
}

/** Takes the keyboard and the end of the screen for a prompt, and gives both back. */
export async function onOwnScreen<T>(
  { terminal, input, output }: Pick<ApproverParts, "terminal" | "input" | "output">,
  prompt: (parts: { readonly screen: Screen; readonly keyboard: Keyboard }) => Promise<T>,
): Promise<T> {
  terminal.hold();
  const keyboard = openKeyboard(input, output);
  const screen = createScreen(output);
  try {
    return await prompt({ screen, keyboard });
  } finally {
    screen.area([]);
    keyboard.close();
    terminal.release();
  }
}

/** Questions of several runs share one screen: each waits for those before it. */
export function oneAtATime(
  ask: (request: ApprovalRequest) => Promise<void>,
  inTurn: Queue = createQueue(),
): Approver {
  return (request) => inTurn(request.signal, () => ask(request));
}
