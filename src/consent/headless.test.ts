import fc from "fast-check";
import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";

async function headless(rules: readonly string[], tool: ToolParts, values: JsonObject = {}): Promise<string> {
  const { consent } = makeConsent({ rules, approve: null });
  return await decisionOf(consent, makeCall(makeTool(tool), values));
}

test("where nobody can be asked a call is denied, with the exact rule that would allow it", async () => {
  const { consent } = makeConsent({ approve: null });
  const context = makeContext();
  const [verdict] = consent.decide([makeCall(makeTool())], context);
  expect(await verdict).toMatchObject({
    type: "denied",
    decision: {
      by: { type: "default" },
      unasked: true,
      waitedMs: 0,
      reason: "Denied: nobody could be asked. To allow it, add the rule: allow workspace/run_command",
      rule: "allow workspace/run_command",
    },
  });
  expect(context.events).toEqual([]);
});

test("a call that a rule denies is not called unasked", async () => {
  const { consent } = makeConsent({ rules: ["deny workspace/*"], approve: null });
  const [verdict] = consent.decide([makeCall(makeTool())], makeContext());
  expect(await verdict).toMatchObject({
    decision: { unasked: false, reason: "Denied: The rule `deny workspace/*` denies it." },
  });
  expect(await verdict).not.toHaveProperty("decision.rule");
});

test("for a destructive tool the rule names an argument, because a broad rule would not allow it", async () => {
  const tool = { server: "fs", name: "remove", annotations: { destructiveHint: true } };
  expect(await headless([], tool, { path: "/tmp/a b" })).toContain(
    'add the rule: allow fs/remove path="/tmp/a b"',
  );
  expect(await headless([], tool)).toContain(
    "No single rule would allow it. Its server says that it is destructive",
  );
});

test("where a rule asks, the suggested rule is more specific than that one", async () => {
  expect(await headless(["ask workspace/*"], {})).toContain("add the rule: allow workspace/run_command");
  expect(await headless(["ask workspace/run_command"], {}, { command: "ls" })).toContain(
    "add the rule: allow workspace/run_command command=ls",
  );
  expect(await headless(["ask workspace/run_command"], {})).toContain("No single rule would allow it");
});

test("the suggested rule, once added, allows the call, whatever the names are, and allows no other tool", async () => {
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      name,
      name,
      fc.dictionary(name, name, { maxKeys: 2 }),
      fc.boolean(),
      async (server, tool, values, destructive) => {
        const parts = { server, name: tool, annotations: destructive ? { destructiveHint: true } : {} };
        const reason = await headless([], parts, values);
        const suggested = / add the rule: ([\s\S]*)$/.exec(reason)?.[1];
        if (suggested === undefined) {
          expect(destructive).toBe(true);
          return;
        }
        expect(await headless([suggested], parts, values)).toMatch(/^allow/);
        expect(await headless([suggested], { ...parts, name: `${tool}x` }, values)).toMatch(/^deny/);
      },
    ),
    { numRuns: 200 },
  );
});
