import { didYouMean } from "../../util/closest.ts";
import { type Flag, quoted, splitWords, values, type Words } from "./words.ts";

/** A question for the model, with what it may use. Servers and rules are still the texts that were typed. */
export interface RunCommand {
  readonly type: "run";
  readonly question: string;
  readonly servers: readonly string[];
  readonly model?: string;
  readonly trust: readonly string[];
  readonly allow: readonly string[];
  readonly maxTurns?: number;
  readonly json: boolean;
}

export interface ToolsCommand {
  readonly type: "tools";
  readonly servers: readonly string[];
  readonly json: boolean;
}

export interface AuditVerifyCommand {
  readonly type: "audit verify";
  readonly json: boolean;
}

export type Command =
  | RunCommand
  | ToolsCommand
  | AuditVerifyCommand
  | { readonly type: "help"; readonly topic: HelpTopic }
  | { readonly type: "version" }
  /** What is wrong with the command line, in one line that says what to do. */
  | { readonly type: "usage"; readonly message: string };

export type HelpTopic = "drawbridge" | "run" | "tools" | "audit";

const commands = ["run", "tools", "audit", "help"] as const;

const flagsOf: Readonly<Record<"run" | "tools" | "audit" | "help", readonly Flag[]>> = {
  run: ["server", "model", "trust", "allow", "max-turns", "json", "help", "version"],
  tools: ["server", "json", "help"],
  audit: ["json", "help"],
  help: ["help"],
};

function usage(message: string): Command {
  return { type: "usage", message };
}

/** A flag of another command, as an error; undefined when all flags belong to this one. */
function foreignFlag(words: Words, command: keyof typeof flagsOf): Command | undefined {
  const foreign = [...words.flags.keys()].find((flag) => !flagsOf[command].includes(flag));
  if (foreign === undefined) return undefined;
  return usage(`"drawbridge ${command}" has no option --${foreign}. See drawbridge ${command} --help.`);
}

function runCommand(words: Words, rest: readonly string[]): Command {
  const [question, ...more] = rest;
  if (more.length > 0) {
    return usage(
      `The question is more than one argument; put it in quotes: drawbridge ${quoted(rest.join(" "))}`,
    );
  }
  if (question === undefined || question.trim() === "") {
    return usage('No question. Example: drawbridge "What is in this folder?" --server "npx -y SERVER"');
  }
  const [turns] = values(words, "max-turns");
  const maxTurns = turns === undefined ? undefined : Number(turns);
  if (turns !== undefined && !/^[1-9][0-9]{0,5}$/.test(turns)) {
    return usage(`--max-turns takes a whole number from 1 to 999999, not ${quoted(turns)}.`);
  }
  const [model] = values(words, "model");
  return {
    type: "run",
    question,
    servers: values(words, "server"),
    ...(model === undefined ? {} : { model }),
    trust: values(words, "trust"),
    allow: values(words, "allow"),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    json: words.flags.has("json"),
  };
}

function toolsCommand(words: Words, rest: readonly string[]): Command {
  if (rest.length > 0) {
    return usage(
      `"drawbridge tools" takes no ${quoted(rest.join(" "))}. A server is --server ${quoted(rest[0] ?? "")}.`,
    );
  }
  const servers = values(words, "server");
  if (servers.length === 0) {
    return usage('No server. Example: drawbridge tools --server "npx -y SERVER"');
  }
  return { type: "tools", servers, json: words.flags.has("json") };
}

function auditCommand(words: Words, rest: readonly string[]): Command {
  const [verb, ...more] = rest;
  if (verb === undefined)
    return usage("Which? The one thing to do with the audit log is: drawbridge audit verify");
  if (verb !== "verify") {
    return usage(`There is no "audit" command ${quoted(verb)}. Use: drawbridge audit verify`);
  }
  if (more.length > 0) return usage(`"drawbridge audit verify" takes no ${quoted(more.join(" "))}.`);
  return { type: "audit verify", json: words.flags.has("json") };
}

/** A lone word that is no command: a question has a space or punctuation in it, everything else is a slip. */
function loneWord(word: string): Command {
  const meant = didYouMean(word, commands, "drawbridge ");
  const ask = meant === "" ? ` To ask it as a question: drawbridge run ${quoted(word)}` : "";
  return usage(`There is no command ${quoted(word)}.${meant}${ask}`);
}

function topicOf(word: string | undefined): HelpTopic {
  return word === "run" || word === "tools" || word === "audit" ? word : "drawbridge";
}

/** What the words after `drawbridge` ask for. Never throws: a mistake is a `usage` command with its message. */
export function parseCommandLine(argv: readonly string[]): Command {
  const words = splitWords(argv);
  if (typeof words === "string") return usage(words);
  const [first, ...rest] = words.positionals;
  if (words.flags.has("help")) return { type: "help", topic: topicOf(first) };
  if (words.flags.has("version")) return { type: "version" };
  if (first === "help") return { type: "help", topic: topicOf(rest[0]) };
  if (first === "tools") return foreignFlag(words, "tools") ?? toolsCommand(words, rest);
  if (first === "audit") return foreignFlag(words, "audit") ?? auditCommand(words, rest);
  if (first === "run") return foreignFlag(words, "run") ?? runCommand(words, rest);
  if (first !== undefined && rest.length === 0 && /^[a-z][a-z-]*$/i.test(first)) return loneWord(first);
  return runCommand(words, words.positionals);
}
