import { type ExitCodeName, exitCodeMeanings, exitCodes } from "../exit-code.ts";
import { overviewText } from "./overview.ts";
import type { CommandEntry, OptionSpec } from "./spec.ts";
import { commandsOf, commonOptions } from "./table.ts";
import { usageOf } from "./usage-line.ts";
import { columns, helpWidth, wrap } from "./wrap.ts";

/** The help of a topic: a command, the commands that begin with a word, or the overview. */
export function helpText(topic: string): string {
  const [command, ...more] = commandsOf(topic);
  if (command === undefined) return overviewText();
  if (more.length > 0) return groupText(topic, [command, ...more]);
  return commandText(command);
}

/** An option as it is typed: `-h, --help`, `--model MODEL`, `--continue [ID]`. */
function optionTerm({ name, short, value, optional }: OptionSpec): string {
  const word = value === undefined ? "" : optional === undefined ? ` ${value}` : ` [${value}]`;
  return `${short === undefined ? "" : `-${short}, `}--${name}${word}`;
}

function commandText(command: CommandEntry): string {
  const options = [...command.options, ...commonOptions.filter(({ name }) => name === "help")];
  const usage = `${usageOf(command)}${command.options.length > 0 ? " [options]" : ""}`;
  const lines = [
    "Usage",
    `  ${usage}`,
    ...(command.name === "run" ? [`  ${usage.replace(" run", "")}`] : []),
    "",
    ...command.about.flatMap((paragraph) => [...wrap(paragraph, helpWidth), ""]),
    "Options",
    ...columns(
      options.map((option) => [optionTerm(option), repeatText(option)]),
      24,
    ),
    "",
    ...exitLines(command),
    "Example",
    ...command.example.split("\n").map((line) => `  ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

function repeatText({ help, repeat }: OptionSpec): string {
  return repeat === true && !help.includes("repeat") ? `${help}; may be repeated` : help;
}

function exitLines({ exits }: CommandEntry): string[] {
  if (exits === undefined) return [];
  // The keys of a constant: nothing else can be among them.
  const names = Object.keys(exitCodes) as ExitCodeName[];
  const rows = names.flatMap((name): [string, string][] => {
    // Any command fails where its files cannot be read, or its output cannot be written.
    const text = exits[name] ?? (name === "failed" ? true : undefined);
    if (text === undefined) return [];
    return [[String(exitCodes[name]), text === true ? exitCodeMeanings[name] : text]];
  });
  return ["Exit codes", ...columns(rows, 3), ""];
}

function groupText(topic: string, group: readonly CommandEntry[]): string {
  const lines = [
    "Usage",
    ...columns(
      group.map((command) => [usageOf(command), command.summary]),
      44,
    ),
    `  drawbridge ${topic} COMMAND --help`,
    "",
    "Example",
    `  ${group[0]?.example ?? ""}`,
  ];
  return `${lines.join("\n")}\n`;
}
