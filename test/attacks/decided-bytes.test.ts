import fc from "fast-check";
import { expect, test } from "vitest";
import { aliasOf } from "../../src/catalog/names.ts";
import { createConsent } from "../../src/consent/consent.ts";
import { createHost } from "../../src/host.ts";
import { createMemoryStores } from "../../src/stores/memory-stores.ts";
import { type FakeServer, fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { ApprovalAnswer } from "../../src/types/approval.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { HostTransport } from "../../src/types/config.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { systemClock } from "../../src/util/clock.ts";
import { keyedHashHex } from "../../src/util/hash.ts";
import { decisionOf, makeContext } from "../support/consent.ts";
import { someFacts, someRule, type WrittenRule } from "../support/policies.ts";
import { makeCall, makeTool } from "../support/tools.ts";
import { entriesOf } from "./attack.ts";

const serverIds = ["fs", "db", "my web"];
const toolNames = ["read", "write", "a/b"];

const hint = fc.constantFrom(true, false, undefined);
const annotations = fc
  .record({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
  .map((hints) => JSON.parse(JSON.stringify(hints)) as JsonObject);
const definition = fc.record({ annotations, description: fc.constantFrom("a", "b") });
/** What each server lists, by tool. */
const catalogs = fc.array(fc.array(definition, { minLength: 3, maxLength: 3 }), {
  minLength: 3,
  maxLength: 3,
});
const input = fc.oneof(
  fc.record({ path: fc.constantFrom("/a/b", "/a/../b", "src/x", "x.ts") }, { requiredKeys: [] }),
  fc.constantFrom(
    { url: "https://example.com/" },
    { cmd: "rm -rf" },
    { path: "\u202e", __proto__x: [1, null] },
  ),
);
const call = fc.record({ server: fc.nat({ max: 2 }), tool: fc.nat({ max: 2 }), input });
const turns = fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
const answers: fc.Arbitrary<readonly (ApprovalAnswer | null)[]> = fc.array(
  fc.constantFrom<ApprovalAnswer | null>(
    { type: "allow", scope: "once" },
    { type: "allow", scope: "conversation" },
    { type: "deny" },
    null,
  ),
  { minLength: 1, maxLength: 4 },
);
const world = fc.record({
  rules: fc.array(someRule(["administrator", "user", "project"]), { maxLength: 6 }),
  trust: fc.subarray(serverIds),
  catalogs,
  turns,
  answers: fc.option(answers),
  flows: fc.constantFrom("ask" as const, "off" as const),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** How the same is written, put up and connected another way. */
interface Manner {
  readonly reversed: boolean;
  readonly spaced: boolean;
}
const plainly: Manner = { reversed: false, spaced: false };

function textsOf(
  rules: readonly WrittenRule[],
  tier: WrittenRule["tier"],
  { reversed, spaced }: Manner,
): string[] {
  const texts = rules
    .filter((rule) => rule.tier === tier)
    .filter(({ effect }) => tier !== "project" || effect !== "allow")
    .map(({ effect, server, tool, conditions }) =>
      [effect, `${server}/${tool}`, ...(reversed ? [...conditions].reverse() : conditions)].join(
        spaced ? "   " : " ",
      ),
    );
  return reversed ? texts.reverse() : texts;
}

/** The server connects later than others. */
function delayed(server: FakeServer, ms: number): { readonly transport: HostTransport } {
  const { transport } = server.config;
  const start = transport.start.bind(transport);
  transport.start = () => new Promise<void>((resolve) => setTimeout(resolve, ms)).then(start);
  return { transport };
}

async function play(one: World, manner: Manner = plainly) {
  const stores = createMemoryStores();
  const audit: AuditEntry[] = [];
  const sent: { server: string; tool: string; arguments: string; entries: number }[] = [];
  const servers = serverIds.map((id, index): readonly [string, FakeServer] => {
    const tools = toolNames.map((name, place) =>
      textTool(
        name,
        (args) => {
          sent.push({ server: id, tool: name, arguments: JSON.stringify(args), entries: audit.length });
          return "done";
        },
        one.catalogs[index]?.[place] as unknown as JsonObject,
      ),
    );
    return [id, fakeServer(manner.reversed ? tools.reverse() : tools)];
  });
  const ordered = manner.reversed ? servers.toReversed() : servers;
  const given = [...(one.answers ?? [])];
  const rulesOf = (tier: WrittenRule["tier"]) => textsOf(one.rules, tier, manner);
  await using host = createHost({
    servers: Object.fromEntries(ordered.map(([id, server], index) => [id, delayed(server, index)])),
    model: scriptedModel([
      ...one.turns.map((calls) => ({
        calls: calls.map(({ server, tool, input }) => ({
          name: aliasOf(serverIds[server] ?? "", toolNames[tool] ?? ""),
          input,
        })),
      })),
      { text: "done" },
    ]),
    state: stores,
    policy: {
      rules: rulesOf("user"),
      administratorRules: rulesOf("administrator"),
      projectRules: rulesOf("project"),
      trust: one.trust,
      flows: one.flows,
    },
    principal: "ann",
    ...(one.answers === null
      ? {}
      : {
          approve({ questions, answer }) {
            for (const { id } of questions) {
              const next = given.shift();
              if (next) answer(id, next);
            }
          },
        }),
    audit: { append: async (entry) => void audit.push(entry) },
  });
  const running = host.run("go");
  const decisions: string[] = [];
  for await (const event of running) {
    if (event.type === "call_decided") decisions.push(`${event.callId} ${event.decision} ${event.by.type}`);
  }
  await running.result;
  return { sent, audit, decisions: decisions.toSorted(), key: await stores.hashKey() };
}

test("no call reaches a server but behind a recorded allow for exactly its bytes, one record a call", async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { sent, audit, key } = await play(one);
      reached += sent.length;
      const used = new Set<AuditEntry>();
      for (const call of sent) {
        const record = entriesOf(audit.slice(0, call.entries), "call_intended").find(
          (entry) =>
            !used.has(entry) &&
            entry.server === call.server &&
            entry.tool === call.tool &&
            entry.decision === "allow" &&
            entry.argumentsHash === keyedHashHex(key, call.arguments),
        );
        expect(record).toBeDefined();
        if (record !== undefined) used.add(record);
      }
      // And what is recorded as sent was: nothing else stands there.
      expect(entriesOf(audit, "call_intended")).toHaveLength(sent.length);
    }),
    { numRuns: 40 },
  );
  expect(reached).toBeGreaterThan(0);
}, 30_000);

test("what is decided does not depend on the order of servers, tools and rules, on who connects first, nor on how rules are written", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      // Whoever answers in turn answers other questions when these come in another order.
      const [first = null] = one.answers ?? [];
      const steady = {
        ...one,
        answers: one.answers === null ? null : Array.from({ length: 20 }, () => first),
      };
      const [plain, other] = [await play(steady), await play(steady, { reversed: true, spaced: true })];
      expect(other.decisions).toEqual(plain.decisions);
      const bare = (sent: typeof plain.sent) =>
        sent.map(({ entries: _, ...call }) => JSON.stringify(call)).toSorted();
      expect(bare(other.sent)).toEqual(bare(plain.sent));
    }),
    { numRuns: 15 },
  );
}, 30_000);

test("the alias that the model sees is no part of a decision", async () => {
  const rules = fc.array(someRule(["user"]), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rules, someFacts, fc.string(), async (written, facts, alias) => {
      const consent = createConsent({
        rules: textsOf(written, "user", plainly),
        approve: null,
        clock: systemClock,
      });
      const { server, tool: name } = facts.route;
      const tool = makeTool({ server, name, trusted: facts.trusted, annotations: facts.annotations });
      const decided = await decisionOf(consent, makeCall(tool, facts.arguments), makeContext());
      const renamed = makeCall({ ...tool, alias }, facts.arguments);
      expect(await decisionOf(consent, renamed, makeContext())).toBe(decided);
    }),
    { numRuns: 100 },
  );
});
