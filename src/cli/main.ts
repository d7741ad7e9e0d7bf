#!/usr/bin/env node
import { HostError, toHostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";
import { version } from "../version.ts";
import { parseCommandLine } from "./command-line/args.ts";
import { helpText } from "./command-line/help.ts";
import type { Command } from "./command-line/spec.ts";
import { exitCodeOfError, exitCodes, readerGone } from "./exit-code.ts";
import { type Interrupt, listenForInterrupt } from "./terminal/interrupt.ts";
import { openTerminal, type Terminal } from "./terminal/terminal.ts";

// Errors of both are looked at when everything was written.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

async function carryOut(command: Command, terminal: Terminal, interrupt: Interrupt): Promise<number> {
  switch (command.type) {
    case "usage":
      terminal.line(`drawbridge: ${command.message}`);
      return exitCodes.usage;
    case "help":
      process.stdout.write(helpText(command.topic));
      return exitCodes.answered;
    case "version":
      process.stdout.write(`${version}\n`);
      return exitCodes.answered;
    case "completion":
      process.stdout.write((await import("./command-line/completions.ts")).completionScript(command.shell));
      return exitCodes.answered;
    case "bare":
      return (await import("./bare.ts")).runBare(terminal, interrupt);
    case "command":
      return command.run(terminal, interrupt);
  }
}

/** Why the answer is not all there, such as a full disk. A reader that went away, such as `head`, had enough. */
function whyUnwritten(error: NodeJS.ErrnoException | null): string | undefined {
  return error === null || error.code === "EPIPE" || error.code === "EIO" ? undefined : error.message;
}

/** Whatever asks for the working directory fails once that was removed. */
function isFolderGone(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && thrown.syscall === "uv_cwd";
}

/** What to do, in one line a problem: no stack. */
function fail(thrown: unknown, terminal: Terminal): number {
  const error = isFolderGone(thrown)
    ? new HostError("config_invalid", "The working directory is gone. Change to a folder that is there.")
    : toHostError(thrown);
  // The problems of config files stand one a line; whatever comes from outside is on one line already.
  const lines = error.code === "config_invalid" ? error.message.split("\n") : [error.message];
  for (const line of lines) terminal.line(terminal.paint("red", `drawbridge: ${visibleLine(line)}`));
  return exitCodeOfError(error.code);
}

const terminal = openTerminal(process.stderr);
const interrupt = listenForInterrupt(terminal);
process.on("uncaughtException", (thrown) => process.exit(fail(thrown, terminal)));

const code = await carryOut(parseCommandLine(process.argv.slice(2)), terminal, interrupt).catch(
  (thrown) => interrupt.exitCode() ?? fail(thrown, terminal),
);
terminal.close();
interrupt.dispose();
// Output to a pipe may still be on its way; an empty write says when all before it is gone.
process.stdout.write("", () => {
  // The stream tells its error only after this.
  const unwritten = whyUnwritten(process.stdout.errored);
  if (unwritten === undefined) process.exit(code);
  terminal.line(`drawbridge: Standard output could not be written: ${visibleLine(unwritten)}`);
  process.exit(code === exitCodes.answered || code === readerGone ? exitCodes.failed : code);
});
