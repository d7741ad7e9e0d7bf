import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { BrokenAnswer } from "../wire/answer-errors.ts";
import { idleLimitMs } from "../wire/model.ts";
import type { LanguageModel, LanguageModelCall, LanguageModelStream } from "./language-model.ts";

/**
 * Asks once and reads the parts of the answer, until `take` says that it is complete or nothing more comes. It ends with
 * the signal, and when nothing comes for too long, also where the provider does not heed its signal.
 */
export async function readParts(
  model: LanguageModel,
  call: LanguageModelCall,
  signal: AbortSignal,
  clock: Clock,
  take: (part: unknown) => boolean,
): Promise<void> {
  const abort = linkAbort(signal);
  let cancelWatch = (): void => {};
  let idle = false;
  const watch = (): void => {
    cancelWatch();
    cancelWatch = clock.after(idleLimitMs, () => {
      idle = true;
      abort.abort();
    });
  };
  try {
    watch();
    const stream = await begun(model, { ...call, abortSignal: abort.signal }, abort.signal);
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await orAborted(reader.read(), abort.signal);
        if (done) return;
        watch();
        if (take(value)) return;
      }
    } finally {
      void reader.cancel().catch(() => {});
    }
  } catch (thrown) {
    if (!idle) throw thrown;
    throw new BrokenAnswer(`The API gave no sign for ${idleLimitMs / 1000} seconds.`, { cause: thrown });
  } finally {
    cancelWatch();
    abort.end();
  }
}

async function begun(
  model: LanguageModel,
  call: LanguageModelCall,
  signal: AbortSignal,
): Promise<ReadableStream<unknown>> {
  const asked: Promise<LanguageModelStream> = Promise.resolve(model.doStream(call));
  try {
    return (await orAborted(asked, signal)).stream;
  } catch (thrown) {
    // A stream that comes too late is not read.
    asked.then(({ stream }) => stream.cancel()).catch(() => {});
    throw thrown;
  }
}

/** The promise, or a rejection as soon as the signal fires. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException("The request was aborted.", "AbortError"));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
