import type { Clock } from "../../types/ports.ts";
import type { Input } from "../terminal/key.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import { listenWhenQuiet } from "../terminal/read-key.ts";
import type { Screen } from "../terminal/screen.ts";

export interface ConfirmParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A question with yes or no at the end of the screen; every key but `y` is a no. */
export function confirm(
  question: string,
  { screen, keyboard, clock, signal }: ConfirmParts,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (answer: boolean): void => {
      stop();
      signal.removeEventListener("abort", onAbort);
      screen.area([]);
      resolve(answer);
    };
    const onAbort = () => finish(false);
    const onInput = (input: Input) =>
      finish(input.type === "key" && !input.ctrl && input.text.toLowerCase() === "y");
    const onReady = () => screen.area([`${question} [y] yes   [n] no `]);
    const stop = listenWhenQuiet({ keyboard, clock, signal, early: keyboard.keep, onReady, onInput });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
