import fc from "fast-check";
import { expect, test } from "vitest";
import { createConversationReads } from "../../src/consent/conversation-reads.ts";
import { createLabels } from "../../src/consent/labels.ts";
import type { DecisionSource } from "../../src/types/outcome.ts";
import { makeConsent, makeContext } from "../support/consent.ts";
import { makeCall, makeTool } from "../support/tools.ts";

const flowRule = "allow c/* @flow=private->open-world";
const servers = ["a", "b", "c"] as const;
const hint = fc.constantFrom(undefined, true, false);

const someTool = fc.record({
  server: fc.constantFrom(...servers),
  name: fc.constantFrom("x", "y"),
  trusted: fc.boolean(),
  openWorldHint: hint,
  readOnlyHint: hint,
});
const someRules = fc.subarray([
  "allow */*",
  "allow a/*",
  "allow */x @trust=untrusted",
  "allow b/* @flow=private->write",
  "allow */* @openWorld=false",
  "ask */y @flow=untrusted->*",
  flowRule,
]);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("call" as const),
    tool: someTool,
    answer: fc.constantFrom("once" as const, "conversation" as const, "deny" as const),
  }),
  fc.record({ kind: fc.constant("unknown" as const), untrusted: fc.boolean(), private: fc.boolean() }),
);

type Described = typeof someTool extends fc.Arbitrary<infer T> ? T : never;

/** What a server says of a tool, as one of the same name would always say it. */
function toolOf({ server, name, trusted, openWorldHint, readOnlyHint }: Described) {
  const annotations = JSON.parse(JSON.stringify({ openWorldHint, readOnlyHint }));
  return makeTool({ server, name, trusted, annotations });
}

/** The triple in its own words, apart from the code that is tested. */
function createModel(privateServers: readonly string[]) {
  let untrusted = false;
  const from = new Set<string>();
  return {
    meets({ server, trusted, openWorldHint }: Described): boolean {
      if (!untrusted || from.size === 0) return false;
      if (openWorldHint === true) return true;
      if (trusted && openWorldHint === false) return false;
      return from.size > 1 || !from.has(server);
    },
    read({ server, trusted, openWorldHint }: Described): void {
      untrusted ||= !trusted || openWorldHint === true;
      if (privateServers.includes(server) || openWorldHint === false) from.add(server);
    },
    unknown(content: { readonly untrusted: boolean; readonly private: boolean }): void {
      untrusted ||= content.untrusted;
      if (content.private) from.add("?").add("??");
    },
  };
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What decided each call that met the triple and ran, and the scopes of its question. */
async function playedOut(rules: readonly string[], isPrivate: readonly string[], steps: readonly Step[]) {
  const { consent, requests } = makeConsent({ rules });
  const labelsOf = createLabels((server) => ({
    stated: null,
    credentials: isPrivate.includes(server),
    local: false,
  }));
  const conversation = createConversationReads(labelsOf);
  const reads = conversation.forRun("run");
  const context = makeContext({ reads });
  const model = createModel(isPrivate);
  const allowedFlows = new Set<string>();
  const ran: {
    readonly by: DecisionSource;
    readonly scopes: readonly string[];
    readonly answered: boolean;
  }[] = [];
  for (const [turn, one] of steps.entries()) {
    if (one.kind === "unknown") {
      conversation.addUnknown(one);
      model.unknown(one);
      continue;
    }
    const tool = toolOf(one.tool);
    const [deciding] = consent.decide([makeCall(tool)], context);
    const request = requests.pop();
    const [question] = request?.questions ?? [];
    const { answer } = one;
    if (question !== undefined) {
      request?.answer(question.id, answer === "deny" ? { type: "deny" } : { type: "allow", scope: answer });
    }
    const verdict = await deciding;
    if (verdict?.type !== "approved") continue;
    if (model.meets(one.tool)) {
      const { by } = verdict.approved.decision;
      const answered = allowedFlows.has(tool.definitionHash);
      ran.push({ by, scopes: question?.scopes ?? [], answered });
      if (question !== undefined && answer === "conversation") allowedFlows.add(tool.definitionHash);
    }
    reads.take(tool, turn);
    model.read(one.tool);
  }
  return ran;
}

test("whatever was read and whatever is called, a call that meets the triple runs on a word about it alone: a person's, or a rule's with a flow", async () => {
  const privacy = fc.subarray([...servers]);
  let met = 0;
  await fc.assert(
    fc.asyncProperty(
      someRules,
      privacy,
      fc.array(step, { maxLength: 12 }),
      async (rules, isPrivate, steps) => {
        for (const { by, scopes, answered } of await playedOut(rules, isPrivate, steps)) {
          met += 1;
          if (by.type === "rule") expect(by.rule).toBe(flowRule);
          else if (by.type === "grant") expect([by.scope, answered]).toEqual(["conversation", true]);
          else expect(by.type).toBe("person");
          expect(scopes).not.toContain("always");
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(met).toBeGreaterThan(100);
});
