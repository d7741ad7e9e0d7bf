import { parseArgs } from "node:util";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";

/** The options of all commands. */
export type Flag = "server" | "model" | "trust" | "allow" | "max-turns" | "json" | "help" | "version";

interface Option {
  readonly type: "string" | "boolean";
  /** May be repeated. */
  readonly multiple?: boolean;
  readonly short?: string;
}

const known: Readonly<Record<Flag, Option>> = {
  server: { type: "string", multiple: true },
  model: { type: "string" },
  trust: { type: "string", multiple: true },
  allow: { type: "string", multiple: true },
  "max-turns": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

export interface Words {
  readonly flags: ReadonlyMap<Flag, readonly (string | true)[]>;
  readonly positionals: readonly string[];
}

/** A word in quotes, escaped, for a message. */
export function quoted(text: string): string {
  return JSON.stringify(visibleLine(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}

const isFlag = (name: string): name is Flag => Object.hasOwn(known, name);

/** The words of the command line by kind, or what is wrong with them. */
export function splitWords(argv: readonly string[]): Words | string {
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Map<Flag, (string | true)[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!isFlag(name)) {
      return `There is no option ${quoted(rawName)}.${didYouMean(name, Object.keys(known), "--")} See drawbridge --help.`;
    }
    const before = flags.get(name) ?? [];
    if (known[name].type === "boolean") {
      if (value !== undefined) return `--${name} takes no value: leave ${quoted(`=${value}`)} out.`;
      flags.set(name, [true]);
      continue;
    }
    if (value === undefined || value.trim() === "") return `--${name} needs a value. See drawbridge --help.`;
    if (!token.inlineValue && value.startsWith("-")) {
      return `--${name} needs a value, and ${quoted(value)} looks like an option. If it is the value: --${name}=${visibleLine(value)}`;
    }
    if (before.length > 0 && known[name].multiple !== true)
      return `--${name} is given twice; it takes one value.`;
    flags.set(name, [...before, value]);
  }
  return { flags, positionals };
}

/** The values of an option that takes one, in order. */
export function values(words: Words, flag: Flag): string[] {
  return (words.flags.get(flag) ?? []).filter((value) => value !== true);
}
