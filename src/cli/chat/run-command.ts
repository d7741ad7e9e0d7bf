import { toHostError } from "../../errors.ts";
import { visibleLine } from "../../util/visible.ts";
import { chatCommands } from "./commands/all.ts";
import type { CommandContext } from "./commands/command.ts";
import { findCommand, type TypedCommand, unknownCommand } from "./commands/table.ts";

/** Carries a command of the chat out; what goes wrong is one line. */
export async function runCommand(
  { name, argument }: TypedCommand,
  context: CommandContext,
): Promise<"leave" | undefined> {
  const command = findCommand(name, chatCommands);
  const { paint, print } = context;
  if (command === undefined) {
    print(paint("red", unknownCommand(name, chatCommands)));
    return undefined;
  }
  try {
    return await command.run(argument, context);
  } catch (thrown) {
    print(paint("red", visibleLine(toHostError(thrown).message)));
    return undefined;
  }
}
