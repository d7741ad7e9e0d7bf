import type { Limits } from "../../types/config.ts";
import { longestTimerMs } from "../../util/longest-timer.ts";
import { defaultLimits } from "../limits.ts";
import type { KeySchema } from "./key-schema.ts";

const descriptions: Readonly<Record<keyof Limits, string>> = {
  serverStartMs: "From the start of a server to its first answer, milliseconds.",
  eraProbeMs:
    "How long a server may take to say which era it speaks, milliseconds; at most half of its start.",
  listMs: "One reading of a server's whole tool list, milliseconds.",
  callIdleMs: "A call without any progress, milliseconds.",
  callHardMs: "A call, whatever it reports, milliseconds.",
  callsPerServer: "Calls that one server gets at once.",
  callsPerRun: "Calls of one run at once.",
  messageBytes: "Largest message of a server, bytes.",
  stderrTailBytes: "How much of a server's standard error is kept, bytes.",
  turns: "Turns of a run.",
  callsPerTurn: "Calls of one turn.",
  offeredTools:
    "Tools that the model is offered; it finds the others by a search. 0 means as many as its API takes.",
  repeatedTurns: "Turns in a row whose calls bring nothing new; 0 means no limit.",
  calls: "All calls of a run; 0 means no limit.",
  tokens: "Input and output tokens of a run; 0 means no limit.",
  contextTokens: "Tokens that fit into a request with its answer; 0 means what is known of the model.",
  cost: "US dollars of a run; 0 means no limit. A model whose price is not known then refuses to start.",
  runMs: "Wall time of a run, milliseconds; 0 means no limit.",
  outputTokensPerResult: "Tokens of one tool's result that the model gets.",
  outputTokensPerTurn: "Tokens of all results of a turn that the model gets.",
  modelRetries: "How often a failed request to the model is sent again.",
  modelRetryMs: "One request to the model with all its retries, milliseconds.",
};

/** Where 0 means that there is no limit, or none of ours. */
export const openLimits: ReadonlySet<string> = new Set([
  "offeredTools",
  "repeatedTurns",
  "calls",
  "tokens",
  "contextTokens",
  "cost",
  "runMs",
]);
const mayBeZero = new Set([...openLimits, "modelRetries"]);

export const limitKeys: Readonly<Record<string, KeySchema>> = Object.fromEntries(
  Object.entries(descriptions).map(([name, description]): [string, KeySchema] => [
    name,
    {
      type: name === "cost" ? "number" : "integer",
      minimum: mayBeZero.has(name) ? 0 : 1,
      maximum: longestTimerMs,
      default: defaultLimits[name as keyof Limits],
      description,
    },
  ]),
);
