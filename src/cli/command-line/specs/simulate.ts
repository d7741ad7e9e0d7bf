import type { SimulateCommand } from "../../commands/simulate.ts";
import { wholeNumber } from "../host-options.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

const apis = ["anthropic", "openai-chat", "openai-responses", "gemini"];

export const simulateSpec: CommandEntry = defineCommand<SimulateCommand>({
  name: "simulate",
  section: "Look",
  summary: "run a strict stand-in for a model API, to test without a key",
  words: [{ name: "API", complete: apis }],
  options: [
    { name: "port", value: "N", help: "listen on this port of 127.0.0.1 (default: any that is free)" },
    {
      name: "script",
      value: "FILE",
      help: "answer with these steps, a JSON list (default: a few rules choose)",
      complete: "file",
    },
    { name: "json", help: "write every request to standard output, one JSON object a line" },
  ],
  about: [
    "Answers as the API does, without a model and without a key: it streams like it, and refuses what it refuses, with its status and words. Prints what to export so that programs find it, and a line for each request.",
    'A step of a script is an answer, such as {"text": "Hello"} or {"calls": [{"name": "read", "input": {"path": "a"}}]}, or a fault, such as {"fault": {"type": "overloaded"}}. The script must be followed to its end.',
  ],
  example: "drawbridge simulate anthropic --port 8080",
  exits: {
    answered: "ended with Ctrl-C",
    failed: "the script was not followed to its end",
    usage: true,
  },
  read(words) {
    const script = words.value("script");
    return {
      api: words.positionals[0] ?? "",
      port: wholeNumber(words, "port", 65_535) ?? 0,
      ...(script === undefined ? {} : { script }),
      json: words.has("json"),
    };
  },
  load: async () => (await import("../../commands/simulate.ts")).runSimulate,
});
