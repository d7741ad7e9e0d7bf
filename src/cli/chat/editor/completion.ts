import type { OfferCompletion } from "../offers/complete-offer.ts";
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
  /** What servers offer, where the word names one of them. */
  readonly offers?: OfferCompletion;
}

/** What can stand in the place of the text from `from` up to the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly string[];
}

const serverCommands = new Set(["/tools", "/resources", "/prompts"]);
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
  if (from === 0 && word.startsWith("/")) return { from, candidates: await afterSlash(word, sources) };
  if (word.startsWith("@") || (command !== undefined && fileCommands.has(command))) {
    const start = word.startsWith("@") ? from + 1 : from;
    const typed = head.slice(start);
    const candidates = word.startsWith("@") ? afterAt(typed, sources) : sources.files(typed);
    return { from: start, candidates: await candidates };
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

/** A command, or a prompt of a server. */
async function afterSlash(word: string, sources: CompletionSources): Promise<readonly string[]> {
  const prompts = await sources.offers?.prompts(word);
  return prompts ?? beginning(word, sources.commands, serversBefore("/", sources));
}

/** A file, or a resource of a server. */
async function afterAt(typed: string, sources: CompletionSources): Promise<readonly string[]> {
  const resources = await sources.offers?.resources(typed);
  return (
    resources ?? beginning(typed, await sources.files(typed), typed === "" ? [] : serversBefore("", sources))
  );
}

/** The servers as something of theirs begins. */
function serversBefore(mark: string, { offers, servers }: CompletionSources): readonly string[] {
  return offers === undefined ? [] : servers.filter((id) => !/\s/.test(id)).map((id) => `${mark}${id}:`);
}

function sharedBeginning(texts: readonly string[]): string {
  const [first = "", ...rest] = texts;
  let length = first.length;
  for (const text of rest) {
    while (!text.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** The text with what all candidates share; a single candidate is followed by a space, unless something may follow. */
export function applyCompletion(
  { text, cursor }: EditedText,
  { from, candidates }: Completion,
): EditedText | null {
  if (candidates.length === 0) return null;
  const shared = sharedBeginning(candidates);
  const whole = candidates.length === 1 && !/[/:]$/.test(shared) ? `${shared} ` : shared;
  if (whole === text.slice(from, cursor)) return null;
  return { text: text.slice(0, from) + whole + text.slice(cursor), cursor: from + whole.length };
}
