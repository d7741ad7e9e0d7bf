import { HostError } from "../../../errors.ts";
import type { Host } from "../../../types/host.ts";
import type { FilledPrompt, ServerPrompt } from "../../../types/prompt.ts";
import { oneLine } from "../../../util/one-line.ts";
import { visibleLine } from "../../../util/visible.ts";
import { checkNames, findPrompt, readWords } from "../../commands/prompts.ts";
import { filledPromptLines } from "../../show/offer-lines.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { TypedPrompt } from "./typed-prompt.ts";

/** What filling in a prompt needs of the chat. */
export interface PromptInputParts {
  readonly host: Host;
  readonly paint: Paint;
  readonly signal: AbortSignal;
  print(line: string): void;
  /** Waits for a server, which Ctrl-C ends. */
  waiting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Reads one argument; null: the person left. `complete` gives what it may be. */
  askArgument(label: string, complete: (typed: string) => Promise<readonly string[]>): Promise<string | null>;
  confirm(question: string): Promise<boolean>;
}

const mostPreviewLines = 200;

/**
 * The prompt that was typed, filled in, shown and agreed to; null when it is not to be sent. Arguments that were not
 * typed are asked for one by one. Throws a HostError with what the person can do.
 */
export async function readPromptInput(
  typed: TypedPrompt,
  parts: PromptInputParts,
): Promise<FilledPrompt["input"] | null> {
  const { host, print, paint, waiting } = parts;
  const { server, name } = typed;
  const [listing] = await waiting((signal) => host.prompts({ server, signal }));
  if (listing?.error !== undefined) throw new HostError(listing.error.code, listing.error.message);
  const prompt = findPrompt(server, name, listing?.entries ?? []);
  const given = readWords(typed.words);
  checkNames(prompt, Object.keys(given));
  const args = await askMissing(server, prompt, given, parts);
  if (args === null) {
    print(paint("dim", "Not sent."));
    return null;
  }
  const filled = await waiting((signal) => host.getPrompt(server, name, args, { signal }));
  if (filled.input.length === 0) {
    print("The prompt is empty: there is nothing to send.");
    return null;
  }
  for (const line of previewLines(filled, paint)) print(line);
  if (await parts.confirm("Send this to the model?")) return filled.input;
  print(paint("dim", "Not sent."));
  return null;
}

/** A required argument is asked for again until it has a value; an empty line leaves another one out. */
async function askMissing(
  server: string,
  prompt: ServerPrompt,
  given: Readonly<Record<string, string>>,
  { host, print, paint, signal, askArgument }: PromptInputParts,
): Promise<Record<string, string> | null> {
  const values = new Map(Object.entries(given));
  for (const { name, description, required } of prompt.arguments) {
    if (values.has(name)) continue;
    const facts = [required ? "" : "may be left empty", description ?? ""].filter((part) => part !== "");
    if (facts.length > 0) print(paint("dim", `  ${visibleLine(oneLine(facts.join(": "), 300))}`));
    const complete = async (value: string) => {
      const reference = { type: "prompt", name: prompt.name } as const;
      const known = { given: Object.fromEntries(values), signal };
      return (await host.complete(server, reference, { name, value }, known)).values;
    };
    let value: string | null = null;
    do value = await askArgument(visibleLine(oneLine(name, 60)), complete);
    while (value === "" && required);
    if (value === null) return null;
    if (value !== "") values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** What is going to be sent, in the server's words. */
function previewLines(filled: FilledPrompt, paint: Paint): string[] {
  const { server, name } = filled;
  const heading = `The server ${visibleLine(server)} made this of its prompt ${visibleLine(oneLine(name, 100))}:`;
  const lines = filledPromptLines(filled).map((line) => `${paint("dim", "│")} ${line}`);
  const more = lines.length - mostPreviewLines;
  const rest =
    more > 0 ? [paint("yellow", `… ${more.toLocaleString("en-US")} more lines are sent as well`)] : [];
  return [paint("bold", heading), ...lines.slice(0, mostPreviewLines), ...rest];
}
