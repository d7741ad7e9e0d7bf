import { relative } from "node:path";
import type { Node } from "jsonc-parser";
import { HostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";
import { maxConfigBytes, readBounded } from "../read-bounded.ts";

/** A config file that was read and parsed. Offsets count UTF-16 code units of its text. */
export interface SettingsDocument {
  readonly path: string;
  readonly scope: "project" | "user" | "administrator";
  readonly root: Node;
  /** From 1. */
  readonly lineAt: (offset: number) => number;
  /** `FILE:LINE:COLUMN`, the file as seen from the working directory. */
  readonly placeOf: (offset: number) => string;
}

/** What is wrong with the files, each a sentence behind its place. */
export interface Report {
  readonly problems: string[];
  readonly warnings: string[];
}

const mostProblems = 5;
const mostWarnings = 20;

/** The text of a file without its byte order mark, or null when there is none. Throws `config_invalid`. */
export async function readSettingsFile(path: string, shown: string): Promise<string | null> {
  const refuse = (problem: string, cause?: unknown) =>
    new HostError("config_invalid", `${shown}:1:1: ${problem}.`, { cause });
  try {
    const bytes = await readBounded(path, maxConfigBytes);
    if (bytes === "not a file") throw refuse("it is not a file; remove it or name another");
    if (bytes === "too large") throw refuse("the file is larger than 1 MiB, which no config is");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof HostError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw refuse("the file is not UTF-8; save it as UTF-8");
    throw refuse(`the file cannot be read (${code || "unknown reason"}); repair or remove it`, error);
  }
}

/** The path as a person in the folder would write it. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  const plain = inside !== "" && !inside.startsWith("..") && inside !== path;
  return visibleLine(plain ? inside : path);
}

/** Where a text's lines begin, to tell positions by. */
export function placesOf(text: string, shown: string): Pick<SettingsDocument, "lineAt" | "placeOf"> {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineAt = (offset: number) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const placeOf = (offset: number) => {
    const line = lineAt(offset);
    return `${shown}:${line}:${offset - (starts[line - 1] ?? 0) + 1}`;
  };
  return { lineAt, placeOf };
}

/**
 * Ends the reading when something is wrong: the first few problems, one a line.
 * @throws HostError `config_invalid`
 */
export function throwProblems({ problems }: Report): void {
  if (problems.length === 0) return;
  const shown = firstOf(problems, mostProblems, "problem");
  throw new HostError("config_invalid", shown.join("\n"), { data: { problems: problems.length } });
}

/** The first few warnings, and how many more there are. */
export function shownWarnings({ warnings }: Report): readonly string[] {
  return firstOf(warnings, mostWarnings, "warning");
}

function firstOf(sentences: readonly string[], most: number, kind: string): readonly string[] {
  const more = sentences.length - most;
  if (more <= 0) return sentences;
  const rest = `There ${more === 1 ? `is 1 more ${kind}` : `are ${more} more ${kind}s`}.`;
  return [...sentences.slice(0, most), rest];
}
