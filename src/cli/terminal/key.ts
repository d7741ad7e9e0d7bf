/** A key as it was pressed, or a whole pasted text. */
export type Input =
  | {
      readonly type: "key";
      /** Node's name of the key, such as `return`, `left` or `a`; empty for a character that has none. */
      readonly name: string;
      readonly ctrl: boolean;
      readonly meta: boolean;
      /** What the key writes; empty when it writes nothing. */
      readonly text: string;
    }
  | { readonly type: "paste"; readonly text: string }
  /** The terminal went away. */
  | { readonly type: "end" };

/** Whether the key is this letter with Ctrl. */
export function isCtrl(input: Input, letter: string): boolean {
  return input.type === "key" && input.ctrl && input.name === letter;
}
