import { HostError } from "../../errors.ts";
import { didYouMean } from "../../util/closest.ts";
import { type Command, type CommandEntry, usageError, type Words } from "./spec.ts";
import { allOptions, commands, commandsOf, firstWords } from "./table.ts";
import { usageOf } from "./usage-line.ts";
import { quoted, type SplitWords, splitWords } from "./words.ts";

/** What the words after `drawbridge` ask for. Never throws: a mistake is a `usage` command with its message. */
export function parseCommandLine(argv: readonly string[]): Command {
  try {
    return commandOf(splitWords(argv, allOptions), argv.length === 0);
  } catch (thrown) {
    if (thrown instanceof HostError) return { type: "usage", message: thrown.message };
    throw thrown;
  }
}

function commandOf(split: SplitWords, bare: boolean): Command {
  const { positionals, words } = split;
  if (words.has("help")) return { type: "help", topic: topicOf(positionals) };
  if (words.has("version")) return { type: "version" };
  if (bare) return { type: "bare" };
  const [first, second] = positionals;
  const two = commands.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return parse(two, split, 2);
  const one = commands.find(({ name }) => name === first);
  if (one !== undefined) return parse(one, split, 1);
  if (first !== undefined && firstWords().includes(first)) throw wrongVerb(first, second);
  if (first !== undefined && positionals.length === 1 && /^[a-z][a-z-]*$/i.test(first)) throw loneWord(first);
  const [run] = commandsOf("run");
  if (run === undefined) throw new Error("there is no run");
  return parse(run, split, 0);
}

/** The longest beginning of the words that is a topic. */
function topicOf(positionals: readonly string[]): string {
  const [first = "", second = ""] = positionals;
  const words = first === "help" ? positionals.slice(1) : [first, second];
  return [words.join(" "), words[0] ?? ""].find((topic) => commandsOf(topic).length > 0) ?? "";
}

function parse(command: CommandEntry, { words, given }: SplitWords, taken: number): Command {
  const known = command.options.map(({ name }) => name);
  const foreign = given.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    throw usageError(
      `"drawbridge ${command.name}" has no option --${foreign}.${didYouMean(foreign, known, "--")} See drawbridge ${command.name} --help.`,
    );
  }
  const twice = command.options.find(({ name, repeat }) => repeat !== true && words.values(name).length > 1);
  if (twice !== undefined) throw usageError(`--${twice.name} is given twice; it takes one value.`);
  const rest: Words = { ...words, positionals: words.positionals.slice(taken) };
  // A question's words have messages of their own.
  if (command.name !== "run") checkWords(command, rest.positionals);
  const typed = command.parse(rest);
  if (typed.type === "help" && typed.topic !== "" && commandsOf(typed.topic).length === 0) {
    const meant = didYouMean(typed.topic, firstWords(), "drawbridge help ");
    throw usageError(`There is no command ${quoted(typed.topic)}.${meant} See drawbridge --help.`);
  }
  return typed;
}

function checkWords(command: CommandEntry, given: readonly string[]): void {
  const name = `"drawbridge ${command.name}"`;
  const least = command.words.filter((word) => word.optional !== true).length;
  if (given.length < least) {
    const missing = command.words[given.length]?.name ?? "";
    throw usageError(`${name} needs ${missing}. Example: ${command.example}`);
  }
  const endless = command.words.some((word) => word.repeat === true);
  const extra = given.slice(command.words.length);
  if (endless || extra.length === 0) return;
  throw usageError(`${name} takes no ${quoted(extra.join(" "))}. Usage: ${usageOf(command)}`);
}

/** A word such as `audit` alone, or with one behind it that is none of its commands. */
function wrongVerb(first: string, second: string | undefined): Error {
  const verbs = commandsOf(first).map(({ name }) => name.slice(first.length + 1));
  const use = `Use: ${verbs.map((verb) => `drawbridge ${first} ${verb}`).join(", ")}`;
  if (second === undefined) return usageError(`"drawbridge ${first}" needs one more word. ${use}`);
  const meant = didYouMean(second, verbs, `drawbridge ${first} `);
  return usageError(
    `There is no command ${quoted(`${first} ${second}`)}.${meant === "" ? ` ${use}` : meant}`,
  );
}

/** A lone word that is no command: a question has a space or punctuation in it, everything else is a slip. */
function loneWord(word: string): Error {
  const meant = didYouMean(word, firstWords(), "drawbridge ");
  const ask = meant === "" ? ` To ask it as a question: drawbridge run ${quoted(word)}` : "";
  return usageError(`There is no command ${quoted(word)}.${meant}${ask}`);
}
