import { HostError } from "../../errors.ts";
import type { ExitCodeName } from "../exit-code.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What a shell may offer for a value: a file's or a folder's name, or one of these words. */
type Completion = "file" | "folder" | readonly string[];

export interface OptionSpec {
  /** Without its dashes. */
  readonly name: string;
  readonly short?: string;
  /** What the value is called. An option without one is a switch. */
  readonly value?: string;
  /** The value may be left out; the next word is the value only when it matches. */
  readonly optional?: RegExp;
  /** May be given several times. */
  readonly repeat?: boolean;
  readonly help: string;
  readonly complete?: Completion;
}

/** A word that a command takes beside its options. */
export interface WordSpec {
  readonly name: string;
  /** May be left out. */
  readonly optional?: boolean;
  /** This one and all that follow. */
  readonly repeat?: boolean;
  readonly complete?: Completion;
}

/** What was typed for one command, options and words apart and checked against its spec. */
export interface Words {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** The value of an option that is given once; undefined without it. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
}

/** Sections of the overview, in order. */
export const sections = ["Ask", "Set up", "Look", "Shell"] as const;

/** Everything that is said of a command: parsing, help and completions come from it. */
interface CommandText {
  /** One word, or two: `audit verify`. */
  readonly name: string;
  readonly section: (typeof sections)[number];
  /** One line, in small letters. */
  readonly summary: string;
  readonly words: readonly WordSpec[];
  readonly options: readonly OptionSpec[];
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly example: string;
  /** Exit codes that need a word: what they mean here, or true for what they always mean. */
  readonly exits?: { readonly [Name in ExitCodeName]?: string | true };
}

type Execute<C> = (command: C, terminal: Terminal, interrupt: Interrupt) => Promise<number>;

/** One command, as its spec file writes it. */
export interface CommandSpec<C> extends CommandText {
  /** @throws HostError `config_invalid`: what is wrong, in one line that says what to do. */
  read(words: Words): C;
  /** Loads the code of the command: only when it runs. */
  load(): Promise<Execute<C>>;
}

/** A command that was typed, ready to run. */
interface TypedCommand {
  readonly type: "command";
  readonly name: string;
  /** The module's own form of it. */
  readonly command: object;
  run(terminal: Terminal, interrupt: Interrupt): Promise<number>;
}

/** What a command line asks for. */
export type Command =
  | TypedCommand
  /** A command's name, the word that several begin with, or empty for all of them. */
  | { readonly type: "help"; readonly topic: string }
  | { readonly type: "completion"; readonly shell: Shell }
  | { readonly type: "version" }
  /** Nothing was asked for. */
  | { readonly type: "bare" }
  /** What is wrong with the command line, in one line that says what to do. */
  | { readonly type: "usage"; readonly message: string };

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** One command of the table. */
export interface CommandEntry extends CommandText {
  /** @throws HostError `config_invalid` */
  parse(words: Words): Command;
}

export function defineCommand<C extends object>({ read, load, ...text }: CommandSpec<C>): CommandEntry {
  return {
    ...text,
    parse(words) {
      const command = read(words);
      return {
        type: "command",
        name: text.name,
        command,
        run: async (terminal, interrupt) => (await load())(command, terminal, interrupt),
      };
    },
  };
}

/** What is wrong with the command line. */
export function usageError(message: string): HostError {
  return new HostError("config_invalid", message);
}
