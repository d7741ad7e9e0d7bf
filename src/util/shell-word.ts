import { visibleLine } from "./visible.ts";

const plainWord = /^[\w@%+=:,./-][\w@%+=:,./-]*$/;

/** A text as one word of a POSIX shell, escaped for the screen: it can be pasted, and nothing in it is expanded. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}

/** The same for a word that names something. Behind `--` nothing is an option: a name may look like one. */
export function shellName(text: string): string {
  return `${text.startsWith("-") ? "-- " : ""}${shellWord(text)}`;
}
