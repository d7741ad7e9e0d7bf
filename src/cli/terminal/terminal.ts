import type { Clock } from "../../types/ports.ts";
import { systemClock } from "../../util/clock.ts";
import { type Output, type Paint, paintFor } from "./paint.ts";
import { createProgress } from "./progress.ts";

/** Standard error as the command uses it: whole lines, and one line of progress that comes and goes. */
export interface Terminal {
  readonly paint: Paint;
  /** Its width; null, or not there, where nobody's terminal is. */
  columns?(): number | null;
  /** Writes a line. It must be escaped already. */
  line(text: string): void;
  /** What is being waited for, shown once it takes longer than a second; null: nothing. A new `detail` is the same wait. */
  waitFor(what: string | null, detail?: string): void;
  /** Keeps lines back while a prompt has the screen. */
  hold(): void;
  release(): void;
  close(): void;
}

export function openTerminal(output: Output, clock: Clock = systemClock): Terminal {
  const progress = createProgress(output, clock);
  let held: string[] | null = null;

  return {
    paint: paintFor(output),
    columns: () => (output.isTTY === true && output.columns ? output.columns : null),
    line(text) {
      if (held !== null) {
        held.push(text);
        return;
      }
      progress.clear();
      output.write(`${text}\n`);
    },
    waitFor: progress.waitFor,
    hold() {
      progress.pause();
      held ??= [];
    },
    release() {
      const lines = held ?? [];
      held = null;
      for (const text of lines) output.write(`${text}\n`);
      progress.resume();
    },
    close: progress.stop,
  };
}
