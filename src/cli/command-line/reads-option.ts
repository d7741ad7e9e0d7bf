import type { RunReads } from "../../types/policy.ts";
import { type OptionSpec, usageError, type Words } from "./spec.ts";
import { quoted } from "./words.ts";

const readable = ["private", "untrusted"] as const;

/** `--reads private|untrusted`; `help` says of what. */
export function readsOption(help: string): OptionSpec {
  return {
    name: "reads",
    value: "WORD",
    repeat: true,
    help: `${help}: private or untrusted; repeat it for both`,
    complete: readable,
  };
}

/** @throws HostError `config_invalid` for another word */
export function readReads(words: Words): Pick<RunReads, "untrusted" | "private"> {
  const given = words.values("reads");
  const odd = given.find((word) => !readable.some((known) => known === word));
  if (odd !== undefined) throw usageError(`--reads takes private or untrusted, not ${quoted(odd)}.`);
  return { private: given.includes("private"), untrusted: given.includes("untrusted") };
}
