import { emitKeypressEvents } from "node:readline";
import type { Input } from "./key.ts";

/** Keys that were pressed while nobody read them are kept up to this number. */
const mostKept = 10_000;
/** A longer paste is cut. */
const longestPaste = 1024 * 1024;

const bracketedPasteOn = "\u001b[?2004h";
const bracketedPasteOff = "\u001b[?2004l";

/** What the keyboard needs of standard input. */
export type KeyboardInput = Pick<
  NodeJS.ReadStream,
  "on" | "off" | "resume" | "pause" | "isTTY" | "setRawMode"
> &
  NodeJS.ReadableStream;

/** The keys of a terminal, one by one and without an echo, from when it is opened until it is closed. */
export interface Keyboard {
  /** Hears every key from now on, in the place of whoever heard them before; gives back how to stop. */
  listen(listener: (input: Input) => void): () => void;
  /** Puts a key aside for whoever takes the keys that were typed ahead. */
  keep(input: Input): void;
  /** The keys that were put aside, oldest first. */
  takeKept(): readonly Input[];
  /** Stops the process, as Ctrl-Z does elsewhere, with the terminal as it was; resolves once it goes on. */
  suspend(): Promise<void>;
  /** Leaves the terminal as it was. Safe to call twice. */
  close(): void;
}

interface Keypress {
  readonly sequence?: string;
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

/** Puts the characters of a paste together: a line break in it is no Enter. */
function createReader(hear: (input: Input) => void): (text: string | undefined, key: Keypress) => void {
  let paste: string[] | null = null;
  let pasted = 0;
  return (text, key) => {
    const { name = "", sequence = "", ctrl = false, meta = false } = key;
    if (name === "paste-start") {
      paste = [];
      pasted = 0;
    } else if (name === "paste-end") {
      if (paste !== null) hear({ type: "paste", text: paste.join("") });
      paste = null;
    } else if (paste !== null && !(ctrl && name === "c")) {
      pasted += sequence.length;
      if (pasted <= longestPaste) paste.push(sequence);
    } else {
      paste = null;
      hear({ type: "key", name: name === "undefined" ? "" : name, ctrl, meta, text: text ?? "" });
    }
  };
}

export function openKeyboard(input: KeyboardInput, output: NodeJS.WritableStream): Keyboard {
  const listeners: ((input: Input) => void)[] = [];
  let kept: Input[] = [];
  let isOpen = true;

  function keep(pressed: Input): void {
    if (kept.length < mostKept) kept.push(pressed);
  }

  function hear(pressed: Input): void {
    const listener = listeners.at(-1);
    if (listener === undefined) keep(pressed);
    else listener(pressed);
  }

  const onKey = createReader(hear);
  const onEnd = () => hear({ type: "end" });

  function take(): void {
    input.setRawMode?.(true);
    output.write(bracketedPasteOn);
  }

  function giveBack(): void {
    output.write(bracketedPasteOff);
    input.setRawMode?.(false);
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", close);
    input.off("keypress", onKey);
    input.off("end", onEnd);
    input.pause();
    giveBack();
  }

  emitKeypressEvents(input);
  input.on("keypress", onKey);
  input.on("end", onEnd);
  // Whatever ends the process, an error or a signal, goes through here.
  process.on("exit", close);
  take();
  input.resume();

  return {
    listen(listener) {
      listeners.push(listener);
      return () => {
        const at = listeners.lastIndexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    keep,
    takeKept() {
      const taken = kept;
      kept = [];
      return taken;
    },
    suspend() {
      // Windows stops no process.
      if (process.platform === "win32") return Promise.resolve();
      giveBack();
      return new Promise((resolve) => {
        process.once("SIGCONT", () => {
          take();
          resolve();
        });
        process.kill(process.pid, "SIGTSTP");
      });
    },
    close,
  };
}
