import type { Clock } from "../../types/ports.ts";
import { visibleLine } from "../../util/visible.ts";
import type { Input } from "./key.ts";
import type { Keyboard } from "./keyboard.ts";

/** So long nothing may be pressed before a key counts: who types ahead has not read what is on the screen. */
const quietMs = 300;

export interface ReadKeyParts {
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What is done with a key that does not count yet. */
  readonly early: (input: Input) => void;
  /** The keys count from now on: shows what they mean. */
  readonly onReady: () => void;
  /** A key that counts: its meaning, or undefined when it has none. */
  readonly onInput: (input: Input) => void;
}

/**
 * Hears the keys of a question that was just put on the screen. What was typed before it, and without a pause after it,
 * does not count: it belongs to something else. Gives back how to stop.
 */
export function listenWhenQuiet({
  keyboard,
  clock,
  signal,
  early,
  onReady,
  onInput,
}: ReadKeyParts): () => void {
  let ready = false;
  let cancel = (): void => {};

  function arm(): void {
    cancel();
    cancel = clock.after(quietMs, () => {
      ready = true;
      onReady();
    });
  }

  const stopListening = keyboard.listen((input) => {
    const isInterrupt = input.type === "end" || (input.type === "key" && input.ctrl && input.name === "c");
    if (ready || isInterrupt) onInput(input);
    else {
      early(input);
      arm();
    }
  });
  const stop = (): void => {
    cancel();
    stopListening();
    signal.removeEventListener("abort", stop);
  };
  signal.addEventListener("abort", stop, { once: true });
  arm();
  return stop;
}

/** Says of a key that answers nothing that it did not. */
export function noAnswer(input: Input, words: string): string {
  if (input.type !== "key") return " (A pasted text is no answer.)";
  const pressed = nameOfKey(input);
  return pressed === "" ? "" : ` (${pressed} ${words}.)`;
}

function nameOfKey({ name, ctrl, text }: Extract<Input, { type: "key" }>): string {
  if (name === "return") return "Enter";
  // What such a key writes is a control character.
  if (ctrl && name !== "") return `Ctrl-${visibleLine(name.toUpperCase())}`;
  return visibleLine(text) || name;
}
