import type { WriteStream } from "node:tty";
import type { Clock } from "../types/ports.ts";
import { systemClock } from "../util/clock.ts";

type Colour = "red" | "green" | "yellow" | "dim" | "bold";

const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** Puts a colour around a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** Standard error as the command uses it: whole lines, and one line of progress that comes and goes. */
export interface Terminal {
  readonly paint: Paint;
  /** Writes a line. It must be escaped already. */
  line(text: string): void;
  /** What is being waited for, shown once it takes longer than a second; null: nothing. A new `detail` is the same wait. */
  waitFor(what: string | null, detail?: string): void;
  /** Keeps lines back while a prompt has the screen. */
  hold(): void;
  release(): void;
  close(): void;
}

/** What a progress line and colours need of a stream. */
export type Output = Pick<NodeJS.WritableStream, "write"> &
  Partial<Pick<WriteStream, "isTTY" | "columns" | "hasColors">>;

const plain: Paint = (_colour, text) => text;
const painted: Paint = (colour, text) => {
  const [on, off] = codes[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** Colours only where the stream is a terminal that has them; `hasColors` honours NO_COLOR. */
export function paintFor(output: Output): Paint {
  return output.isTTY === true && output.hasColors?.() === true ? painted : plain;
}

const tickMs = 1000;
/** Without a terminal a line cannot be rewritten, so it is said seldom: after 5, 10, 20, 40 … seconds. */
const firstPlainSeconds = 5;

export function openTerminal(output: Output, clock: Clock = systemClock): Terminal {
  const rewritable = output.isTTY === true;
  let held: string[] | null = null;
  let what: string | null = null;
  let detail = "";
  let seconds = 0;
  let nextPlain = firstPlainSeconds;
  let shown = 0;
  let cancelTick = (): void => {};

  const clear = (): void => {
    if (shown > 0) output.write(`\r${" ".repeat(shown)}\r`);
    shown = 0;
  };
  const show = (): void => {
    const text = `… ${what}${detail} (${seconds} s)`;
    if (rewritable) {
      const cut = text.slice(0, Math.max(10, (output.columns ?? 80) - 1));
      output.write(`\r${cut.padEnd(shown)}`);
      shown = cut.length;
    } else if (seconds >= nextPlain) {
      nextPlain *= 2;
      output.write(`${text}\n`);
    }
  };
  const startTicking = (): void => {
    cancelTick();
    seconds = 0;
    nextPlain = firstPlainSeconds;
    const tick = (): void => {
      seconds += 1;
      if (held === null) show();
      cancelTick = clock.after(tickMs, tick);
    };
    cancelTick = what === null ? () => {} : clock.after(tickMs, tick);
  };

  return {
    paint: paintFor(output),
    line(text) {
      if (held !== null) {
        held.push(text);
        return;
      }
      clear();
      output.write(`${text}\n`);
    },
    waitFor(next, nextDetail = "") {
      detail = nextDetail;
      if (next === what) return;
      what = next;
      if (held === null) clear();
      startTicking();
    },
    hold() {
      clear();
      held ??= [];
    },
    release() {
      const lines = held ?? [];
      held = null;
      for (const text of lines) output.write(`${text}\n`);
      startTicking();
    },
    close() {
      cancelTick();
      clear();
    },
  };
}
