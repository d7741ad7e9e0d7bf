import type { Output } from "./paint.ts";

/** One line of a terminal that is written over, and can be taken off again. */
export interface RewritableLine {
  /** Shows the text in the place of the last one, cut to the width of the terminal. */
  write(text: string): void;
  clear(): void;
}

export function createRewritableLine(output: Output): RewritableLine {
  /** Columns that the line has on the screen now. */
  let shown = 0;
  return {
    write(text) {
      const cut = text.slice(0, Math.max(10, (output.columns ?? 80) - 1));
      output.write(`\r${cut.padEnd(shown)}`);
      shown = cut.length;
    },
    clear() {
      if (shown > 0) output.write(`\r${" ".repeat(shown)}\r`);
      shown = 0;
    },
  };
}
