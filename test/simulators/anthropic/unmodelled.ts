/** Rules that no single body can break: where they are tested. */
export const testedElsewhere: Readonly<Record<number, string>> = {
  40: "statuses other than 400 are faults of the script: src/testing/anthropic/simulator.test.ts",
};

/** Parts of rules that the simulator does not refuse, with the reason. */
export const unmodelled: readonly {
  readonly rule: number;
  readonly part: string;
  readonly reason: string;
}[] = [
  {
    rule: 33,
    part: "The compiled grammar is too large / Schema is too complex for compilation",
    reason: "The size at which the API gives up is measured on a grammar that it does not publish.",
  },
  {
    rule: 38,
    part: "available_tools_limit_exceeded",
    reason: "The API has a limit on the number and the size of tools, and publishes neither.",
  },
  {
    rule: 39,
    part: "organization_binding_mismatch, end_user_binding_mismatch",
    reason: "The simulator knows one organization and one user: every key that it is given is theirs.",
  },
  {
    rule: 41,
    part: "the exact number of tokens",
    reason: "The tokenizer is not published: the simulator counts four bytes of JSON as one token.",
  },
];
