import type { Terminal } from "./terminal.ts";

const codeOfSignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof codeOfSignal;

/** One key press can arrive twice: the terminal signals the whole group, and npm passes the signal on. */
const sameKeyPressMs = 300;

export interface Interrupt {
  /** Fires at the first signal. */
  readonly signal: AbortSignal;
  /** 130, 143 or 129 once interrupted; undefined before. */
  exitCode(): number | undefined;
  /** The same as Ctrl-C: for prompts, which read that key themselves. */
  interrupt(): void;
  /** What the first signal stops, in a sentence. Default: the servers. */
  stopping(what: string): void;
  dispose(): void;
}

/** Turns the first SIGINT, SIGTERM or SIGHUP into an abort; a second one leaves at once. */
export function listenForInterrupt(terminal: Terminal): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  let firstAt = 0;
  let stops = "the servers";
  const onSignal = (signal: Signal): void => {
    if (code === undefined) {
      code = codeOfSignal[signal];
      firstAt = performance.now();
      terminal.line(`Interrupted: stopping ${stops}. Press Ctrl-C again to leave at once.`);
      controller.abort();
    } else if (performance.now() - firstAt > sameKeyPressMs) {
      process.exit(code);
    }
  };
  // The keys of a constant: nothing else can be among them.
  const signals = Object.keys(codeOfSignal) as Signal[];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    interrupt: () => onSignal("SIGINT"),
    stopping(what) {
      stops = what;
    },
    dispose() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
