import { systemClock } from "../../util/clock.ts";
import type { Interrupt } from "./interrupt.ts";
import { type Input, isCtrl } from "./key.ts";
import { openKeyboard } from "./keyboard.ts";
import { listenWhenQuiet, noAnswer } from "./read-key.ts";
import { createScreen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";

export interface YesNoQuestion {
  /** Escaped, one line. */
  readonly text: string;
  /** What `y` and `n` mean. */
  readonly yes: string;
  readonly no: string;
}

/**
 * Asks on standard error; null when the question was left with Ctrl-C or the command ends. Only `y` and `n` answer: a
 * key that was typed ahead, an Enter or a pasted text must not start or remove anything.
 */
export async function askYesNo(
  { text, yes, no }: YesNoQuestion,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<boolean | null> {
  const { stdin, stderr } = process;
  const { signal } = interrupt;
  terminal.hold();
  const keyboard = openKeyboard(stdin, stderr);
  const screen = createScreen(stderr);
  const draw = (note: string) =>
    screen.area([terminal.paint("yellow", `Press a letter.${note}`), `[y] ${yes}`, `[n] ${no}`]);
  try {
    screen.line(terminal.paint("bold", text));
    const answer = await new Promise<boolean | null>((resolve) => {
      const finish = (given: boolean | null): void => {
        stop();
        signal.removeEventListener("abort", onAbort);
        resolve(given);
      };
      const onAbort = () => finish(null);
      const onInput = (input: Input): void => {
        if (input.type === "end" || isCtrl(input, "c")) finish(null);
        else if (isLetter(input, "y") || isLetter(input, "n")) finish(isLetter(input, "y"));
        else draw(noAnswer(input, "is neither"));
      };
      const ignore = (): void => {};
      const onReady = (): void => draw("");
      const stop = listenWhenQuiet({ keyboard, clock: systemClock, signal, early: ignore, onReady, onInput });
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    screen.area([]);
    if (answer !== null) screen.line(terminal.paint("dim", `  ${answer ? "yes" : "no"}`));
    else if (!signal.aborted) interrupt.interrupt();
    return answer;
  } finally {
    screen.area([]);
    keyboard.close();
    terminal.release();
  }
}

function isLetter(input: Input, letter: string): boolean {
  return input.type === "key" && !input.ctrl && !input.meta && input.text.toLowerCase() === letter;
}
