import { HostError } from "../errors.ts";
import type { ConversationOptions, RunOptions } from "../types/host.ts";
import { isObject } from "../util/own.ts";
import {
  type Checks,
  countFromOne,
  flag,
  isFunction,
  isModel,
  must,
  problemIn,
  text,
} from "./option-checks.ts";

const reads: Checks<NonNullable<RunOptions["reads"]>> = { untrusted: flag, private: flag };

const options: Checks<RunOptions & ConversationOptions> = {
  signal: must("an AbortSignal", (value) => isObject(value) && isFunction(value.addEventListener)),
  maxTurns: countFromOne,
  model: must("a Model; `host.selectModel` makes one of a name", isModel),
  system: text,
  reads: (value, name) =>
    isObject(value) ? problemIn(value, reads, `${name}.`) : `\`${name}\` must be an object.`,
  // What is wrong with a transcript is said where it is read.
  transcript: () => null,
  id: text,
};

/**
 * Says of the options of a run or a conversation what cannot work.
 * @throws HostError `input_invalid`
 */
export function checkRunOptions(given: unknown): void {
  const problem = isObject(given)
    ? problemIn(given, options, "")
    : "The options of a run must be an object, such as { maxTurns: 5 }.";
  if (problem !== null) throw new HostError("input_invalid", problem);
}
