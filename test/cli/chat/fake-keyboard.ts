import type { Input } from "../../../src/cli/terminal/key.ts";
import type { Keyboard } from "../../../src/cli/terminal/keyboard.ts";

export interface FakeKeyboard extends Keyboard {
  press(...inputs: readonly Input[]): void;
  /** The keys that were put aside, without taking them. */
  aside(): readonly Input[];
}

/** A keyboard whose keys a test presses. */
export function fakeKeyboard(): FakeKeyboard {
  const listeners: ((input: Input) => void)[] = [];
  let kept: Input[] = [];
  return {
    press(...inputs) {
      for (const input of inputs) {
        const listener = listeners.at(-1);
        if (listener === undefined) kept.push(input);
        else listener(input);
      }
    },
    aside: () => kept,
    listen(listener) {
      listeners.push(listener);
      return () => {
        const at = listeners.lastIndexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    keep: (input) => kept.push(input),
    takeKept() {
      const taken = kept;
      kept = [];
      return taken;
    },
    suspend: async () => {},
    close() {},
  };
}
