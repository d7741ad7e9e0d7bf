import fc from "fast-check";
import { parseRules, type Rule, type RuleTier } from "../../src/consent/rules.ts";
import type { CallFacts } from "../../src/types/policy.ts";
import { makeFacts, makeTool } from "./tools.ts";

/** Parts of rules and calls that meet often. */
const servers = ["fs", "db", "my web"];
const tools = ["read", "write", "a/b"];

function oftenWild(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constant("*"),
    fc.constantFrom("w*", "*s", "r*", "*b"),
    fc.constantFrom(...names.map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name)))),
  );
}

const condition = fc.constantFrom(
  "path=/a/**",
  "path=/a/b",
  "path=*.ts",
  '"p q".x=1',
  "regex(path)=/a/[a-z]+",
  "regex(cmd)=(?i)rm|drop",
  "under(path)=/a",
  "under(path)=src",
  "host(url)=*.example.com",
  "host(url)=example.com",
  "@trust=trusted",
  "@trust=untrusted",
  "@principal=a*",
  "@mode=interactive",
  "@mode=headless",
  "@readOnly=true",
  "@destructive=true",
  "@destructive=false",
  "@openWorld=true",
  "@idempotent=false",
  "@flow=untrusted->write",
  "@flow=private→open-world",
  "@flow=*->write",
);

/** A rule in its parts, so that it can be written in several ways. */
export interface WrittenRule {
  readonly effect: Rule["effect"];
  readonly server: string;
  readonly tool: string;
  readonly conditions: readonly string[];
  readonly tier: RuleTier;
}

export function someRule(tiers: readonly RuleTier[]): fc.Arbitrary<WrittenRule> {
  return fc
    .record({
      effect: fc.constantFrom("allow" as const, "ask" as const, "hide" as const, "deny" as const),
      server: oftenWild(servers),
      tool: oftenWild(tools),
      conditions: fc.array(condition, { maxLength: 2 }),
      tier: fc.constantFrom(...tiers),
    })
    .map((rule) => (rule.effect === "hide" ? { ...rule, conditions: [] } : rule));
}

export const allTiers: readonly RuleTier[] = ["administrator", "user", "project"];

export function readRule({ effect, server, tool, conditions, tier }: WrittenRule): Rule[] {
  return [...parseRules([[effect, `${server}/${tool}`, ...conditions].join(" ")], tier)];
}

export function someRules(tiers: readonly RuleTier[] = allTiers): fc.Arbitrary<readonly Rule[]> {
  return fc.array(someRule(tiers), { maxLength: 8 }).map((rules) => rules.flatMap(readRule));
}

const hint = fc.constantFrom(true, false, undefined);
const path = fc.oneof(
  fc.constantFrom("/a/b", "/a/../b", "/c", "x.ts", "src/x", "", "~/a", "file:///a/b"),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const values = fc.oneof(
  fc.record(
    {
      path: fc.oneof(path, fc.array(path, { maxLength: 3 })),
      cmd: fc.constantFrom("rm -rf", "ls", "DROP TABLE"),
      url: fc.constantFrom(
        "https://example.com/",
        "https://a.example.com@b.c/",
        "no",
        "http://x.example.com",
      ),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
);

/** Everything that the policy may look at. */
export const someFacts: fc.Arbitrary<CallFacts> = fc
  .record({
    server: fc.constantFrom(...servers),
    name: fc.constantFrom(...tools),
    trusted: fc.boolean(),
    readOnlyHint: hint,
    destructiveHint: hint,
    openWorldHint: hint,
    values,
    folder: fc.constantFrom(null, "/a", "/x"),
    principal: fc.constantFrom("ann", "bob"),
    mode: fc.constantFrom("interactive" as const, "headless" as const),
    reads: fc.record({ untrusted: fc.boolean(), private: fc.boolean() }),
    origin: fc.constantFrom("model" as const, "model" as const, "direct" as const),
  })
  .map(({ server, name, trusted, values: given, readOnlyHint, destructiveHint, openWorldHint, ...parts }) => {
    const hints = Object.entries({ readOnlyHint, destructiveHint, openWorldHint });
    const annotations = Object.fromEntries(hints.filter(([, value]) => value !== undefined));
    const tool = makeTool({ server, name, trusted, annotations });
    return makeFacts(tool, JSON.parse(JSON.stringify(given)), parts);
  });
