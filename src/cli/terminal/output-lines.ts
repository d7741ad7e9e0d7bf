import { once } from "node:events";
import { visibleLine } from "../../util/visible.ts";

/** An output that is written no faster than it is read. */
export interface PacedOutput {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>;
  /** Fires when the reader went away: nobody wants the rest. */
  readonly gone: AbortSignal;
}

export function createPacedOutput(output: NodeJS.WriteStream): PacedOutput {
  const gone = new AbortController();
  const end = (): void => gone.abort();
  output.once("error", end);
  output.once("close", end);
  return {
    gone: gone.signal,
    async write(text) {
      if (gone.signal.aborted) return;
      if (output.write(text)) return;
      await once(output, "drain", { signal: gone.signal }).catch(() => {});
    },
  };
}

/** Standard output as a stream of JSON documents, one a line. */
export interface JsonLines {
  /** Resolves when there is room for the next one. */
  write(value: unknown): Promise<void>;
  /** Fires when the reader went away: nobody wants the rest. */
  readonly gone: AbortSignal;
}

/**
 * Writes lines no faster than they are read. The escapes of JSON and of `visibleLine` are the same, so that a document
 * keeps its value and cannot steer a terminal.
 */
export function createJsonLines(output: NodeJS.WriteStream): JsonLines {
  const paced = createPacedOutput(output);
  return {
    gone: paced.gone,
    write: (value) => paced.write(`${visibleLine(JSON.stringify(value))}\n`),
  };
}
