import type { RunCommand } from "../../commands/run.ts";
import { continueOption, modelOptions, readHostFlags, serverOptions } from "../host-options.ts";
import { readReads, readsOption } from "../reads-option.ts";
import { type CommandEntry, defineCommand, usageError, type Words } from "../spec.ts";
import { quoted } from "../words.ts";

const example = 'drawbridge "What does notes.md say?" --server "npx -y SERVER"';

function readQuestion(words: Words): string {
  const { positionals } = words;
  const [question, ...more] = positionals;
  if (more.length > 0 && words.has("continue") && words.value("continue") === undefined) {
    const meant = positionals.find((word) => !/\s/.test(word)) ?? positionals[0] ?? "";
    throw usageError(
      `--continue takes the id of a conversation (drawbridge conversations lists them), and ${quoted(meant)} is none. A question of several words stands in quotes.`,
    );
  }
  if (more.length > 0) {
    throw usageError(
      `The question is more than one argument; put it in quotes: drawbridge ${quoted(positionals.join(" "))}`,
    );
  }
  if (question === undefined || question.trim() === "") throw usageError(`No question. Example: ${example}`);
  return question;
}

export const runSpec: CommandEntry = defineCommand<RunCommand>({
  name: "run",
  section: "Ask",
  summary: "ask the model one question (the word run may be left out)",
  words: [{ name: '"QUESTION"', repeat: true }],
  options: [
    { name: "json", help: "write the whole result to standard output as one JSON document" },
    {
      name: "stream-json",
      help: "write every event of the run to standard output as it happens, one JSON object a line",
    },
    continueOption,
    {
      name: "transcript",
      value: "FILE",
      complete: "file",
      help: "write the whole conversation to this file as JSON, however the run ends",
    },
    {
      name: "resource",
      value: "SERVER:URI",
      repeat: true,
      help: "read this resource and give it to the model with the question; repeat it for more",
    },
    readsOption("what the question and the piped input hold"),
    ...serverOptions,
    ...modelOptions,
  ],
  about: [
    "Asks the model. The answer goes to standard output, what happens on the way to standard error. What is piped into standard input is given to the model with the question (< /dev/null passes nothing).",
    "What no option and no rule allows is asked. Without a terminal nobody can be asked, and it is denied.",
  ],
  example: 'git diff | drawbridge "Is there a mistake in this?" --model offline',
  exits: {
    answered: "answered",
    failed: true,
    usage: true,
    serverDown: true,
    unasked: true,
    limit: true,
    interrupted: true,
  },
  read(words) {
    const json = words.has("json");
    const streamJson = words.has("stream-json");
    if (json && streamJson)
      throw usageError("--json and --stream-json both write to standard output: take one.");
    const transcript = words.value("transcript");
    const question = readQuestion(words);
    return {
      question,
      resources: words.values("resource"),
      reads: readReads(words),
      output: json ? "json" : streamJson ? "stream-json" : "text",
      ...(transcript === undefined ? {} : { transcript }),
      ...(words.has("continue") ? { continue: words.value("continue") ?? "newest" } : {}),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/run.ts")).runQuestion,
});
