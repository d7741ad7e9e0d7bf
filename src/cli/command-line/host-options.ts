import { longestTimerMs } from "../../util/longest-timer.ts";
import type { HostFlags } from "../host-flags.ts";
import { type OptionSpec, usageError, type Words } from "./spec.ts";
import { quoted } from "./words.ts";

/** The options of a command that reads the configuration. */
const configOption: OptionSpec = {
  name: "config",
  value: "FILE",
  help: "this file in the place of those that are found; it counts as yours: what it names is started without a question",
  complete: "file",
};

export const configOptions: readonly OptionSpec[] = [configOption];

/** Servers and settings: the options of every command with servers. */
export const serverOptions: readonly OptionSpec[] = [
  {
    name: "server",
    value: "COMMAND",
    repeat: true,
    help: 'a server to start, as "command arguments" or "id=command arguments", the URL of an HTTP server, or the id of a configured one: then only those that are named; repeat it for more',
  },
  configOption,
  {
    name: "trust",
    value: "ID",
    repeat: true,
    help: "believe what this server says of its own tools (read-only, destructive, …)",
  },
];

/** Going on with a stored conversation. */
export const continueOption: OptionSpec = {
  name: "continue",
  value: "ID",
  optional: /^conversation_[\w-]+$/,
  help: "go on with this conversation; without an ID with your newest one in this folder",
};

/** The options of every command with a model. */
export const modelOptions: readonly OptionSpec[] = [
  { name: "model", value: "MODEL", help: 'a Claude model\'s name, api/name, or "offline"' },
  {
    name: "fallback-model",
    value: "MODEL",
    repeat: true,
    help: "asked when the model refuses to answer; repeat it for more, in order",
  },
  {
    name: "system",
    value: "TEXT",
    help: "instructions for the model, or @FILE with them",
  },
  {
    name: "allow",
    value: "SERVER/TOOL",
    repeat: true,
    help: "run this tool without asking; * stands for any text",
  },
  { name: "max-turns", value: "N", help: "most requests to the model (default: 20)" },
  { name: "max-tokens", value: "N", help: "most input and output tokens" },
  { name: "max-cost", value: "USD", help: "most US dollars, for a model whose price is known" },
  { name: "timeout", value: "TIME", help: "longest time: 30s, 5m, 1h, or seconds" },
  { name: "resource-tools", help: "the model may list and read the servers' resources" },
  { name: "no-store", help: "keep nothing of the conversation" },
];

/** Everything that a command with a host takes, as it was typed. */
export function readHostFlags(words: Words): HostFlags {
  if (words.has("no-store") && words.has("continue"))
    throw usageError("--continue adds to a stored conversation, and --no-store stores nothing: take one.");
  const config = words.value("config");
  const model = words.value("model");
  const system = words.value("system");
  const maxTurns = wholeNumber(words, "max-turns", 999_999);
  const maxTokens = wholeNumber(words, "max-tokens", 1_000_000_000);
  const maxCost = dollars(words, "max-cost");
  const timeoutMs = duration(words, "timeout");
  return {
    servers: words.values("server"),
    trust: words.values("trust"),
    allow: words.values("allow"),
    fallbackModels: words.values("fallback-model"),
    ...(config === undefined ? {} : { config }),
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(words.has("resource-tools") ? { resourceTools: true } : {}),
    store: !words.has("no-store"),
  };
}

/** A whole number from 1, such as a limit. */
export function wholeNumber(words: Words, option: string, most: number): number | undefined {
  const text = words.value(option);
  if (text === undefined) return undefined;
  const value = /^[1-9][0-9]{0,11}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw usageError(`--${option} takes a whole number from 1 to ${most}, not ${quoted(text)}.`);
}

function dollars(words: Words, option: string): number | undefined {
  const text = words.value(option);
  if (text === undefined) return undefined;
  const value = /^\$?(\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1];
  if (value !== undefined && Number(value) > 0) return Number(value);
  throw usageError(`--${option} takes US dollars, such as 0.50, not ${quoted(text)}.`);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, "": 1000, s: 1000, m: 60_000, h: 3_600_000 };

/** A time, in milliseconds. */
function duration(words: Words, option: string): number | undefined {
  const text = words.value(option);
  if (text === undefined) return undefined;
  const [, amount = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? 0));
  if (amount !== "" && ms > 0 && ms <= longestTimerMs) return ms;
  throw usageError(`--${option} takes a time such as 30s, 5m or 1h, not ${quoted(text)}.`);
}
