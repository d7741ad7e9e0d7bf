import type { PolicyCheckCommand } from "../../commands/policy/check.ts";
import type { PolicyExplainCommand } from "../../commands/policy/explain.ts";
import { configOptions, modelOptions, readHostFlags, serverOptions } from "../host-options.ts";
import { readReads, readsOption } from "../reads-option.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const policyExplainSpec: CommandEntry = defineCommand<PolicyExplainCommand>({
  name: "policy explain",
  section: "Look",
  summary: "which rule decides a call, and why",
  words: [{ name: "SERVER" }, { name: "TOOL" }, { name: "ARGUMENT", optional: true, repeat: true }],
  options: [
    { name: "headless", help: "as where nobody can be asked" },
    readsOption("as if the run had read such content before"),
    { name: "offline", help: "do not start the server: its tool is what the last run saw" },
    { name: "json", help: "write it as one JSON document" },
    ...serverOptions,
    ...modelOptions.filter(({ name }) => name === "allow"),
  ],
  about: [
    "Starts the one server for the definition of its tool and says how a call of the model would be decided: by which rule, of whom, in which file, and which conditions the other rules for the tool failed. The arguments are those of drawbridge call. Nothing is called or asked, and earlier answers are not looked at.",
  ],
  example: "drawbridge policy explain files write_file path=notes.md content=x",
  exits: { answered: "told, whatever the decision", usage: true, serverDown: true },
  read(words) {
    const [server = "", tool = "", ...args] = words.positionals;
    return {
      ...{ server, tool, args },
      headless: words.has("headless"),
      reads: readReads(words),
      offline: words.has("offline"),
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/policy/explain.ts")).explainPolicy,
});

export const policyCheckSpec: CommandEntry = defineCommand<PolicyCheckCommand>({
  name: "policy check",
  section: "Look",
  summary: "which past calls other rules would decide otherwise",
  words: [],
  options: [
    {
      name: "rules",
      value: "FILE",
      help: "policy.rules of this config file in the place of yours",
      complete: "file",
    },
    { name: "rule", value: "RULE", repeat: true, help: "one rule of yours more; repeat it for others" },
    {
      name: "against",
      value: "PATH",
      help: "an audit file, a folder of them, or another state folder (default: your audit log)",
      complete: "file",
    },
    { name: "since", value: "TIME", help: "only calls from then on: 30m, 2h, 7d, or a date" },
    { name: "until", value: "TIME", help: "only calls before then" },
    { name: "server", value: "ID", help: "only calls of this server" },
    { name: "tool", value: "NAME", help: "only calls of this tool, by its server's name for it" },
    { name: "undecided", help: "also list the calls of which the log does not say enough" },
    { name: "json", help: "write it as one JSON document" },
    ...configOptions,
  ],
  about: [
    "Replays the calls of the audit log under the rules that hold now, or under others that you try out, and lists those that would be decided otherwise. Nothing is called, and the log stays as it is. Rules of an administrator and of the project hold as they do in a run.",
    "What the log does not say leaves a call undecided: what a server said of a tool that was not seen since, or arguments that were not kept.",
  ],
  example: "drawbridge policy check --rule 'deny shell/*' --since 7d",
  exits: {
    answered: "no call would be decided otherwise",
    failed: "some would",
    usage: "a rule or an option is wrong, or the log cannot be read",
    interrupted: true,
  },
  read(words) {
    const texts = ["rules", "against", "since", "until", "server", "tool"].flatMap((name) => {
      const value = words.value(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const config = words.value("config");
    return {
      ...Object.fromEntries(texts),
      ...(config === undefined ? {} : { config }),
      rule: words.values("rule"),
      undecided: words.has("undecided"),
      json: words.has("json"),
    };
  },
  load: async () => (await import("../../commands/policy/check.ts")).checkPastCalls,
});
