/** Inputs that are kept; older ones are dropped. */
const mostEntries = 500;
/** A longer input is not kept: it was pasted. */
const longestEntry = 10_000;

/** The history with one more input; what equals the one before, begins with a space or is very long is not kept. */
export function remember(history: readonly string[], text: string): readonly string[] {
  const kept = text !== "" && !text.startsWith(" ") && text.length <= longestEntry && history.at(-1) !== text;
  return kept ? [...history, text].slice(-mostEntries) : history;
}

/** One JSON string a line. */
export function writeHistory(history: readonly string[]): string {
  return history.map((text) => `${JSON.stringify(text)}\n`).join("");
}

/** Reads what was written; a line that is none of it costs only itself. */
export function readHistory(written: string): readonly string[] {
  return written
    .split("\n")
    .flatMap((line) => {
      try {
        const text: unknown = JSON.parse(line);
        return typeof text === "string" && text !== "" && text.length <= longestEntry ? [text] : [];
      } catch {
        return [];
      }
    })
    .slice(-mostEntries);
}
