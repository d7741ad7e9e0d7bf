import { HostError } from "../../errors.ts";
import type { Host } from "../../types/host.ts";
import type { ServerPrompt } from "../../types/prompt.ts";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { awaitServer, openOneServer } from "../one-server.ts";
import { filledPromptLines, promptLines } from "../show/offer-lines.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface PromptCommand {
  readonly server: string;
  /** Without one the prompts are listed. */
  readonly name?: string;
  /** `name=value` */
  readonly args: readonly string[];
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Prints one prompt of a server with its arguments filled in, or what prompts it has. */
export async function fillPrompt(
  typed: PromptCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { host, server } = await openOneServer(typed, terminal, interrupt);
  const command = { ...typed, server };
  try {
    await awaitServer(host, command, terminal, interrupt);
    terminal.waitFor("the prompt");
    const text = await promptText(command, host, interrupt);
    terminal.waitFor(null);
    process.stdout.write(text);
    return interrupt.exitCode() ?? exitCodes.answered;
  } finally {
    await closeHost(host, terminal);
  }
}

async function promptText(command: PromptCommand, host: Host, { signal }: Interrupt): Promise<string> {
  const { server, name, json } = command;
  const [listing] = await host.prompts({ server, signal });
  if (listing?.error !== undefined) throw new HostError(listing.error.code, listing.error.message);
  if (listing === undefined) return "";
  if (name === undefined) {
    const { entries, leftOut } = listing;
    if (json) return `${visibleLine(JSON.stringify({ server, prompts: entries, leftOut }))}\n`;
    const lines = promptLines(listing);
    return (lines.length === 0 ? ["No prompts."] : lines).map((line) => `${line}\n`).join("");
  }
  const prompt = findPrompt(server, name, listing.entries);
  const filled = await host.getPrompt(server, name, checkArguments(prompt, readWords(command.args)), {
    signal,
  });
  if (json) return `${visibleLine(JSON.stringify(filled))}\n`;
  return filledPromptLines(filled)
    .map((line) => `${line}\n`)
    .join("");
}

/** @throws HostError `config_invalid`, naming those that there are */
export function findPrompt(server: string, name: string, prompts: readonly ServerPrompt[]): ServerPrompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found !== undefined) return found;
  const names = prompts.map((prompt) => prompt.name);
  const list = names.length === 0 ? "It has none." : `It has: ${names.map(visibleLine).join(", ")}.`;
  const meant = visibleLine(didYouMean(name, names));
  throw new HostError(
    "config_invalid",
    `There is no prompt ${visibleLine(name)} of ${visibleLine(server)}. ${list}${meant}`,
  );
}

/** @throws HostError `config_invalid`: a word without `=` */
export function readWords(words: readonly string[]): Record<string, string> {
  const entries = words.map((word): [string, string] => {
    const at = word.indexOf("=");
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
    throw new HostError("config_invalid", `"${visibleLine(word)}" is no argument. Write name=value.`);
  });
  return Object.fromEntries(entries);
}

/** @throws HostError `config_invalid`: an argument that the prompt does not have, or one that it needs */
function checkArguments(
  prompt: ServerPrompt,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  checkNames(prompt, Object.keys(given));
  const missing = prompt.arguments.filter(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing.length === 0) return given;
  const words = missing.map(({ name }) => `${visibleLine(name)}=…`).join(" ");
  throw new HostError("config_invalid", `The prompt ${visibleLine(prompt.name)} needs ${words}`);
}

/** @throws HostError `config_invalid`: an argument that the prompt does not have */
export function checkNames(prompt: ServerPrompt, names: readonly string[]): void {
  const known = prompt.arguments.map(({ name }) => name);
  const odd = names.find((name) => !known.includes(name));
  if (odd === undefined) return;
  const list = known.length === 0 ? "It takes none." : `It takes: ${known.map(visibleLine).join(", ")}.`;
  throw new HostError(
    "config_invalid",
    `The prompt ${visibleLine(prompt.name)} has no argument ${visibleLine(odd)}. ${list}`,
  );
}
