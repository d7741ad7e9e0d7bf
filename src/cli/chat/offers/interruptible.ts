import { isCtrl } from "../../terminal/key.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";

/** Waits for work that Ctrl-C ends; other keys are kept for the prompt. `outer` ends it too. */
export async function interruptible<T>(
  keyboard: Keyboard,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  outer.addEventListener("abort", stop, { once: true });
  if (outer.aborted) stop();
  const stopListening = keyboard.listen((input) => {
    if (input.type === "end" || isCtrl(input, "c")) stop();
    else keyboard.keep(input);
  });
  try {
    return await work(abort.signal);
  } finally {
    stopListening();
    outer.removeEventListener("abort", stop);
  }
}
