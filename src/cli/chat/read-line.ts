import type { Input } from "../terminal/key.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Screen } from "../terminal/screen.ts";
import { newEditor, press } from "./editor/editor.ts";
import { layoutInput } from "./editor/layout.ts";

/** How a text that was asked for ended: written, or left by Escape or by Ctrl-C. */
export type ReadText =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "left"; readonly interrupted: boolean };

export interface ReadLineParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly signal: AbortSignal;
}

/** Reads one short text in the area, without history or completion. */
export function readLine(label: string, { screen, keyboard, signal }: ReadLineParts): Promise<ReadText> {
  let state = newEditor([]);
  const draw = (): void => {
    const indent = " ".repeat(label.length);
    const { rows, cursor } = layoutInput(state, {
      columns: screen.columns(),
      rows: screen.rows() - 2,
      prompt: label,
      indent,
    });
    screen.area(rows, cursor);
  };
  return new Promise((resolve) => {
    const finish = (read: ReadText): void => {
      stop();
      signal.removeEventListener("abort", onAbort);
      screen.area([]);
      resolve(read);
    };
    const onAbort = () => finish({ type: "left", interrupted: true });
    const onInput = (input: Input): void => {
      const { state: next, effect } = press(state, input);
      state = next;
      if (input.type === "key" && input.name === "escape") finish({ type: "left", interrupted: false });
      else if (effect === "interrupt" || effect === "leave") finish({ type: "left", interrupted: true });
      else if (effect === "submit") finish({ type: "text", text: next.text });
      else draw();
    };
    const stop = keyboard.listen(onInput);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else draw();
  });
}
