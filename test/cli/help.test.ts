import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line/args.ts";
import { helpText } from "../../src/cli/command-line/help.ts";
import type { OptionSpec } from "../../src/cli/command-line/spec.ts";
import { allOptions, commands, commandsOf, firstWords } from "../../src/cli/command-line/table.ts";
import { exitCodeMeanings, exitCodes } from "../../src/cli/exit-code.ts";
import { parseCommand } from "../../src/index.ts";

const golden = join(import.meta.dirname, "../golden/help");
const topics = ["", ...commands.map(({ name }) => name), ...firstWords()];

/** What is typed behind `drawbridge` in an example, as a shell splits it. */
function wordsOf(example: string): string[] {
  const [, typed = ""] =
    /(?:^|[|(] ?)drawbridge (.*?)(?:\)"?)?$/s.exec(example.replaceAll("\\\n", " ")) ?? [];
  return parseCommand(typed);
}

describe.each([...new Set(topics)])("help of %j", (topic) => {
  test("is what it was", async () => {
    const name = topic === "" ? "drawbridge" : topic.replace(" ", "-");
    await expect(helpText(topic)).toMatchFileSnapshot(join(golden, `${name}.txt`));
  });

  test("fits 80 columns and shows how to use it, with an example", () => {
    const text = helpText(topic);
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(80);
    expect(text).toMatch(/(?:^|\n)Usage\n {2}drawbridge /);
    expect(text).toMatch(/\nExamples?\n {2}\S/);
  });
});

test.each(commands.map((command) => [command.name, command] as const))(
  "the example of %s is a command line of it",
  (name, { example }) => {
    const parsed = parseCommandLine(wordsOf(example));
    expect(parsed).toMatchObject(
      name === "help" || name === "completion" ? { type: name } : { type: "command", name },
    );
  },
);

test("the overview lists every command with what it does", () => {
  const text = helpText("");
  for (const { name } of commands) expect(text).toContain(`\n  ${name} `);
});

test("every command's help lists all of its options, and its exit codes as the table has them", () => {
  for (const command of commands) {
    const text = helpText(command.name);
    for (const { name } of command.options) expect(text).toContain(`--${name}`);
    for (const [exit, meaning] of Object.entries(command.exits ?? {})) {
      const code = exitCodes[exit as keyof typeof exitCodes];
      const words = meaning === true ? exitCodeMeanings[exit as keyof typeof exitCodes] : meaning;
      expect(text.replace(/\s+/g, " ")).toContain(`${code} ${words}`);
    }
  }
});

test("an option has one form in all commands: with a value, without one, or with one that may be left out", () => {
  const form = ({ value, optional, short }: OptionSpec) => [value !== undefined, String(optional), short];
  for (const { options } of commands) {
    for (const option of options) {
      const known = allOptions.get(option.name);
      expect([option.name, known === undefined ? null : form(known)]).toEqual([option.name, form(option)]);
    }
  }
});

test("no command's name hides another", () => {
  const names = commands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name } of commands) expect(commandsOf(name)).toHaveLength(1);
});
