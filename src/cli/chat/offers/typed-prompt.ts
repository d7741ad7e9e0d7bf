import { readReference } from "../../resource-mention.ts";

/** `/server:prompt name=value …` as it was typed. */
export interface TypedPrompt {
  readonly server: string;
  readonly name: string;
  /** Its words behind the name, quotes taken away. */
  readonly words: readonly string[];
}

/** The prompt that an input asks for, or null when it is something else. A name with spaces stands in quotes. */
export function readTypedPrompt(typed: string, ids: readonly string[]): TypedPrompt | null {
  if (!typed.startsWith("/")) return null;
  const reference = readReference(typed.slice(1), ids);
  if (reference === null) return null;
  const [name = "", ...words] = wordsOf(reference.rest);
  return { server: reference.server, name, words };
}

/** Words between white space; quotes hold a word together, `"a b"` as well as `name="a b"`. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}
