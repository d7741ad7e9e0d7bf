import { expect, test } from "vitest";
import { approve, callWith, context, record } from "../../test/support/recorder.ts";
import type { ShadowVerdict } from "../types/policy.ts";

const rule = "deny fs/* path=/srv/sk-aaaaaaaaaaaaaaaaaaaaaaaa1/**";
const shadow: ShadowVerdict = {
  decision: "deny",
  by: { type: "rule", tier: "user", rule },
  reason: `The rule \`${rule}\` denies it.`,
};

test("what rules that are tried out would decide stands with the intent and the denial, without secrets", async () => {
  const { recorder, entries } = record();
  const approved = approve(callWith({}));
  await recorder.intended({ ...approved, decision: { ...approved.decision, shadow } }, 1, context);
  const decision = {
    type: "deny",
    by: { type: "default" },
    reason: "",
    unasked: false,
    waitedMs: 0,
  } as const;
  recorder.denied({ type: "denied", call: callWith({}), decision: { ...decision, shadow } }, context);
  await recorder.intended(approved, 1, context);
  const written = entries.map((entry) => ("shadow" in entry ? entry.shadow : undefined));
  expect(written).toEqual([
    expect.objectContaining({ decision: "deny" }),
    expect.objectContaining({ decision: "deny" }),
    undefined,
  ]);
  expect(JSON.stringify(written)).not.toContain("sk-aaaa");
});
