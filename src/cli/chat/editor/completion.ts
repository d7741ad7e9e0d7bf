import type { EditedText } from "./text-edit.ts";

/** What Tab may complete. */
export interface CompletionSources {
  /** Commands with their slash. */
  readonly commands: readonly string[];
  readonly servers: readonly string[];
  /** Tools by the names that the model sees. */
  readonly aliases: readonly string[];
  /** Paths that begin with what was typed; folders end in `/`. Empty when the folder cannot be read. */
  files(prefix: string): Promise<readonly string[]>;
}

/** What can stand in the place of the text from `from` up to the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly string[];
}

const serverCommands = new Set(["/tools"]);
const fileCommands = new Set(["/save"]);

function beginning(word: string, ...lists: readonly (readonly string[])[]): string[] {
  const found = lists.flat().filter((candidate) => candidate.startsWith(word));
  return [...new Set(found)].sort();
}

/** Completes the word before the cursor: a command, its argument, a file after `@`, a server or a tool. */
export async function complete(
  { text, cursor }: EditedText,
  sources: CompletionSources,
): Promise<Completion | null> {
  const head = text.slice(0, cursor);
  const from = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"), head.lastIndexOf("\t")) + 1;
  const word = head.slice(from);
  const command = /^\/[a-z]*(?=\s)/.exec(head)?.[0];
  if (from === 0 && word.startsWith("/")) return { from, candidates: beginning(word, sources.commands) };
  if (word.startsWith("@") || (command !== undefined && fileCommands.has(command))) {
    const start = word.startsWith("@") ? from + 1 : from;
    return { from: start, candidates: await sources.files(head.slice(start)) };
  }
  if (command !== undefined && serverCommands.has(command)) {
    // The id of a server may hold spaces.
    const argument = head.slice(command.length).trimStart();
    return { from: cursor - argument.length, candidates: beginning(argument, sources.servers) };
  }
  if (command === "/help") {
    const slashed = word.startsWith("/") ? word : `/${word}`;
    return { from, candidates: beginning(slashed, sources.commands) };
  }
  if (word === "") return null;
  return { from, candidates: beginning(word, sources.servers, sources.aliases) };
}

function sharedBeginning(texts: readonly string[]): string {
  const [first = "", ...rest] = texts;
  let length = first.length;
  for (const text of rest) {
    while (!text.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** The text with what all candidates share; a single candidate is followed by a space, unless it is a folder. */
export function applyCompletion(
  { text, cursor }: EditedText,
  { from, candidates }: Completion,
): EditedText | null {
  if (candidates.length === 0) return null;
  const shared = sharedBeginning(candidates);
  const whole = candidates.length === 1 && !shared.endsWith("/") ? `${shared} ` : shared;
  if (whole === text.slice(from, cursor)) return null;
  return { text: text.slice(0, from) + whole + text.slice(cursor), cursor: from + whole.length };
}
