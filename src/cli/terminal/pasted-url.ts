import { createInterface } from "node:readline";

/** Longer lines are no address. */
const mostCharacters = 16_000;

/**
 * Reads lines until one is an address that a login ends at. Resolves with it; with nothing when there are no more
 * lines, or the signal fires.
 */
export function readPastedUrl(
  input: NodeJS.ReadStream,
  signal: AbortSignal,
  tell: (problem: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false });
    const finish = (found: string | undefined): void => {
      // Closing ends the lines, too: the first word counts.
      resolve(found);
      signal.removeEventListener("abort", onAbort);
      lines.close();
      input.pause();
      input.unref?.();
    };
    const onAbort = () => finish(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    lines.on("close", onAbort);
    lines.on("line", (line) => {
      const text = line.trim();
      if (text === "") return;
      if (isAnswer(text)) finish(text);
      else tell("That is not the address that the login ends at: it begins with http and holds a state.");
    });
    if (signal.aborted) onAbort();
  });
}

function isAnswer(text: string): boolean {
  if (text.length > mostCharacters || !/^https?:/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).searchParams.has("state");
}
