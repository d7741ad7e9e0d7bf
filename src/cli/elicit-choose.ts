import type { Clock } from "../types/ports.ts";
import { cutToColumns } from "../util/columns.ts";
import { choiceRows } from "./chat/consent/choices.ts";
import { type Input, isCtrl } from "./terminal/key.ts";
import type { Keyboard } from "./terminal/keyboard.ts";
import type { Paint } from "./terminal/paint.ts";
import { listenWhenQuiet, noAnswer } from "./terminal/read-key.ts";
import type { Screen } from "./terminal/screen.ts";

export interface ElicitParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly paint: Paint;
  readonly signal: AbortSignal;
  /** Ctrl-C at a question. */
  readonly interrupt: () => void;
  /** What is done with a key that was pressed before the letters were there. Default: it is forgotten. */
  readonly early?: (input: Input) => void;
}

export interface Letter<Key extends string> {
  readonly key: Key;
  readonly label: string;
}

/**
 * Waits for one of the letters; null when the question was left. There is no default: Enter, a pasted text and keys that
 * were typed ahead answer nothing.
 */
export function chooseLetter<Key extends string>(
  head: string,
  letters: readonly Letter<Key>[],
  { screen, keyboard, clock, paint, signal, interrupt, early = () => {} }: ElicitParts,
): Promise<Key | null> {
  const draw = (note: string): void => {
    const columns = screen.columns() - 1;
    const rows = choiceRows(letters, columns);
    screen.area([paint("yellow", cutToColumns(`${head} Press a letter.${note}`, columns)), ...rows]);
  };
  return new Promise((resolve) => {
    const finish = (key: Key | null): void => {
      stop();
      signal.removeEventListener("abort", onAbort);
      screen.area([]);
      resolve(key);
    };
    const onAbort = () => finish(null);
    const onInput = (input: Input): void => {
      if (input.type === "end" || isCtrl(input, "c")) {
        finish(null);
        interrupt();
        return;
      }
      const isKey = input.type === "key" && !input.ctrl && !input.meta;
      const letter = letters.find(({ key }) => isKey && key === input.text.toLowerCase());
      if (letter === undefined) draw(noAnswer(input, "is none of them"));
      else finish(letter.key);
    };
    const stop = listenWhenQuiet({ keyboard, clock, signal, early, onReady: () => draw(""), onInput });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
