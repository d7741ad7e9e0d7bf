import type { Clock } from "../../types/ports.ts";
import type { Output } from "./paint.ts";
import { createRewritableLine } from "./rewritable-line.ts";

/** A line that says what is waited for, and for how long already. */
export interface Progress {
  /** Shown once it takes longer than a second; null: nothing. A new `detail` is the same wait. */
  waitFor(what: string | null, detail?: string): void;
  /** Takes the line off the screen until the next second. */
  clear(): void;
  /** Keeps the line off the screen while a prompt has it. */
  pause(): void;
  /** Counts anew: the time before was a person's. */
  resume(): void;
  stop(): void;
}

const tickMs = 1000;
/** Without a terminal a line cannot be rewritten, so it is said seldom: after 5, 10, 20, 40 … seconds. */
const firstPlainSeconds = 5;

export function createProgress(output: Output, clock: Clock): Progress {
  const line = output.isTTY === true ? createRewritableLine(output) : null;
  let what: string | null = null;
  let detail = "";
  let seconds = 0;
  let nextPlain = firstPlainSeconds;
  let paused = false;
  let cancelTick = (): void => {};

  const clear = (): void => line?.clear();

  function show(): void {
    const text = `… ${what}${detail} (${seconds} s)`;
    if (line !== null) line.write(text);
    else if (seconds >= nextPlain) {
      nextPlain *= 2;
      output.write(`${text}\n`);
    }
  }

  function tick(): void {
    seconds += 1;
    if (!paused) show();
    cancelTick = clock.after(tickMs, tick);
  }

  function restart(): void {
    cancelTick();
    seconds = 0;
    nextPlain = firstPlainSeconds;
    cancelTick = what === null ? () => {} : clock.after(tickMs, tick);
  }

  return {
    waitFor(next, nextDetail = "") {
      detail = nextDetail;
      if (next === what) return;
      what = next;
      clear();
      restart();
    },
    clear,
    pause() {
      clear();
      paused = true;
    },
    resume() {
      paused = false;
      restart();
    },
    stop() {
      cancelTick();
      clear();
    },
  };
}
