import { HostError } from "../../../errors.ts";
import { visibleLine } from "../../../util/visible.ts";
import type { ChatCommandSpec } from "./command.ts";
import { findCommand, unknownCommand } from "./table.ts";

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "send"],
  ["\\ Enter, Alt-Enter, Ctrl-J", "a new line"],
  ["Up, Down", "earlier messages"],
  ["Tab", "complete a command, a server, a tool or a file"],
  ["Ctrl-C", "stop the answer; twice: leave"],
  ["@file", "adds the file to the message (\\@ for a plain @)"],
  ["@server:uri", "adds a resource of a server (/resources lists them)"],
  ["/server:prompt", "sends a prompt of a server, after you saw it (/prompts lists them)"],
];

/** `commands` is given, because this one is among them. */
export function helpCommand(commands: () => readonly ChatCommandSpec[]): ChatCommandSpec {
  return {
    name: "/help",
    argument: "[command]",
    summary: "this list, or more about one command",
    run(argument, { paint, print }) {
      if (argument !== "") {
        const name = argument.startsWith("/") ? argument : `/${argument}`;
        const found = findCommand(name, commands());
        if (found === undefined) throw new HostError("config_invalid", unknownCommand(name, commands()));
        print(`${paint("bold", heading(found))}  ${found.summary}`);
        for (const line of found.about ?? []) print(`  ${line}`);
        return undefined;
      }
      const width = Math.max(...commands().map((command) => heading(command).length));
      for (const command of commands())
        print(`${paint("bold", heading(command).padEnd(width))}  ${command.summary}`);
      print("");
      const keyWidth = Math.max(...keys.map(([key]) => key.length));
      for (const [key, meaning] of keys) print(`${paint("bold", key.padEnd(keyWidth))}  ${meaning}`);
      return undefined;
    },
  };
}

function heading({ name, argument }: ChatCommandSpec): string {
  return visibleLine(argument === undefined ? name : `${name} ${argument}`);
}
