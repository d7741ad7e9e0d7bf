import { parseArgs } from "node:util";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { type OptionSpec, usageError, type Words } from "./spec.ts";

/** A word in quotes, escaped, for a message. */
export function quoted(text: string): string {
  return JSON.stringify(visibleLine(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}

type Values = (string | undefined)[];

interface Given {
  readonly option: OptionSpec;
  readonly value: string | undefined;
  readonly inline: boolean;
}

/** The options and words of the command line, each option known to some command. */
export interface SplitWords {
  readonly positionals: readonly string[];
  /** Names of the options that were given, in order. */
  readonly given: readonly string[];
  readonly words: Words;
}

/**
 * Splits what was typed by the options of all commands: which command it is may only be known behind an option.
 * @throws HostError `config_invalid`
 */
export function splitWords(argv: readonly string[], options: ReadonlyMap<string, OptionSpec>): SplitWords {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([...options].map(([name, option]) => [name, tokenOption(option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Map<string, Values>();
  const positionals: string[] = [];
  /** Where a value that may be left out would stand, and for whom. */
  let next: { readonly index: number; readonly option: OptionSpec | null } = { index: 0, option: null };
  for (const token of tokens) {
    if (token.kind === "positional") {
      const { index, option } = next;
      if (option !== null && index === token.index && option.optional?.test(token.value) === true) {
        flags.set(option.name, [token.value]);
      } else positionals.push(token.value);
    }
    if (token.kind !== "option") continue;
    const option = options.get(token.name);
    if (option === undefined) throw unknownOption(token.rawName, token.name, [...options.keys()]);
    const given: Given = { option, value: token.value, inline: token.inlineValue === true };
    flags.set(option.name, [...(flags.get(option.name) ?? []), checkedValue(given)]);
    next =
      option.optional === undefined || given.inline
        ? { index: 0, option: null }
        : { index: token.index + 1, option };
  }
  const values = (option: string) => (flags.get(option) ?? []).filter((value) => value !== undefined);
  return {
    positionals,
    given: [...flags.keys()],
    words: { positionals, has: (option) => flags.has(option), value: (option) => values(option)[0], values },
  };
}

function tokenOption(option: OptionSpec): { type: "string" | "boolean"; short?: string } {
  const type = option.value === undefined || option.optional !== undefined ? "boolean" : "string";
  return option.short === undefined ? { type } : { type, short: option.short };
}

function unknownOption(raw: string, name: string, known: readonly string[]): Error {
  return usageError(
    `There is no option ${quoted(raw)}.${didYouMean(name, known, "--")} See drawbridge --help.`,
  );
}

function checkedValue({ option, value, inline }: Given): string | undefined {
  const name = `--${option.name}`;
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${name} takes no value: leave ${quoted(`=${value}`)} out.`);
    return undefined;
  }
  if (option.optional !== undefined && !inline) return undefined;
  if (value === undefined || value.trim() === "") {
    throw usageError(`${name} needs a value behind it: ${name}=VALUE`);
  }
  if (!inline && value.startsWith("-")) {
    throw usageError(
      `${name} needs a value, and ${quoted(value)} looks like an option. If it is the value: ${name}=${visibleLine(value)}`,
    );
  }
  return value;
}
