import { parseCommandLine } from "./command-line/args.ts";
import { helpText } from "./command-line/help.ts";
import { exitCodes } from "./exit-code.ts";
import type { Interrupt } from "./terminal/interrupt.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * `drawbridge` alone. At a terminal it is the chat once something is configured, and says how to begin before that. A
 * program that calls it without anything to do made a mistake: it must not look like success.
 */
export async function runBare(terminal: Terminal, interrupt: Interrupt): Promise<number> {
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    stderr.write(helpText(""));
    return exitCodes.usage;
  }
  if (await isConfigured()) {
    const chat = parseCommandLine(["chat"]);
    if (chat.type === "command") return chat.run(terminal, interrupt);
  }
  stdout.write(helpText(""));
  terminal.line("\nTo begin: drawbridge init, or drawbridge chat to try it without a server.");
  return exitCodes.answered;
}

/** Whether a config file names a server or a model. */
async function isConfigured(): Promise<boolean> {
  const { loadConfig } = await import("../index.ts");
  const { servers, model } = await loadConfig();
  return model !== undefined || servers.some(({ disabled }) => !disabled);
}
