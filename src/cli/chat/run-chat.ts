import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { chatAtTerminal } from "./at-terminal.ts";
import { chatByLines } from "./by-lines.ts";
import type { ChatCommand } from "./chat-command.ts";

/** A conversation: at a terminal with everything it has, elsewhere one message for each line of standard input. */
export function runChat(command: ChatCommand, terminal: Terminal, interrupt: Interrupt): Promise<number> {
  const { stdin, stdout } = process;
  return stdin.isTTY && stdout.isTTY
    ? chatAtTerminal(command, terminal, interrupt)
    : chatByLines(command, terminal, interrupt);
}
