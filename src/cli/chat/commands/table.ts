import { didYouMean } from "../../../util/closest.ts";
import { visibleLine } from "../../../util/visible.ts";
import type { ChatCommandSpec } from "./command.ts";

/** A command as it was typed. */
export interface TypedCommand {
  /** With its slash, in small letters. */
  readonly name: string;
  readonly argument: string;
}

/**
 * The command that an input is, or null when it is a message: only a slash at the very beginning with one word behind it
 * makes a command, so that a path is none.
 */
export function readCommand(typed: string): TypedCommand | null {
  const found = /^(\/[A-Za-z][A-Za-z-]*)(?:\s+([\s\S]*))?$/.exec(typed.trimEnd());
  if (found === null) return null;
  return { name: (found[1] ?? "").toLowerCase(), argument: (found[2] ?? "").trim() };
}

export function findCommand(name: string, commands: readonly ChatCommandSpec[]): ChatCommandSpec | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name) === true);
}

/** That there is no such command, and which was meant. */
export function unknownCommand(name: string, commands: readonly ChatCommandSpec[]): string {
  const meant = didYouMean(
    name,
    commands.map((command) => command.name),
  );
  return `There is no command ${visibleLine(name)}.${meant} /help lists them; begin with a space to send it as a message.`;
}
