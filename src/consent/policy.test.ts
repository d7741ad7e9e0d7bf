import fc from "fast-check";
import { expect, test } from "vitest";
import { makeFacts, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import { type Assessment, createPolicy } from "./policy.ts";
import { parseRules, type Rule } from "./rules.ts";

function assess(
  rules: readonly string[] | readonly Rule[],
  tool: ToolParts,
  values: JsonObject = {},
  origin: "model" | "direct" = "model",
): Assessment {
  const parsed = rules.flatMap((rule) => (typeof rule === "string" ? parseRules([rule], "user") : [rule]));
  return createPolicy(parsed).assess(makeFacts(makeTool(tool), values, { origin }));
}

function decision(rules: readonly string[], tool: ToolParts, values: JsonObject = {}): string {
  return assess(rules, tool, values).type;
}

const trusted = { trusted: true };

test("what no rule covers is asked", () => {
  expect(assess([], {})).toMatchObject({ type: "ask", by: { type: "default" }, grantable: true });
  expect(decision(["allow other/*", "deny workspace/other"], {})).toBe("ask");
});

test("a broad allow does not cover a narrower ask or deny", () => {
  const rules = ["allow */*", "ask ado/post_comment", "deny ado/drop_*"];
  expect(decision(rules, { server: "ado", name: "post_comment" })).toBe("ask");
  expect(decision(rules, { server: "ado", name: "drop_db" })).toBe("deny");
  expect(decision(rules, { server: "x", name: "y" })).toBe("allow");
});

test("a deny wins even against a more specific allow", () => {
  expect(
    decision(["deny fs/*", "allow fs/read path=/a"], { server: "fs", name: "read" }, { path: "/a" }),
  ).toBe("deny");
});

test("the more specific rule wins, and a tie goes to the stricter", () => {
  const tool = { server: "fs", name: "write" };
  expect(decision(["ask fs/*", "allow fs/write"], tool)).toBe("allow");
  expect(decision(["ask fs/write", "allow fs/write path=/a/**"], tool, { path: "/a/b" })).toBe("allow");
  expect(decision(["allow fs/write", "ask fs/write"], tool)).toBe("ask");
  expect(decision(["allow fs/write path=/a/**", "ask fs/write path=/a/b/**"], tool, { path: "/a/b/c" })).toBe(
    "ask",
  );
});

test("of two rules that are each more specific in one way the stricter wins", () => {
  expect(decision(["allow fs/*", "ask */write"], { server: "fs", name: "write" })).toBe("ask");
  expect(
    decision(["allow fs/* mode=a", "ask fs/write"], { server: "fs", name: "write" }, { mode: "a" }),
  ).toBe("ask");
});

test("read-only is believed of a trusted server only", () => {
  const annotations = { readOnlyHint: true };
  expect(assess([], { ...trusted, annotations })).toMatchObject({
    type: "allow",
    by: { type: "hint", hint: "readOnlyHint" },
  });
  expect(decision([], { annotations: { readOnlyHint: true, destructiveHint: false } })).toBe("ask");
});

test("a hint that is no truth value means nothing", () => {
  const annotations = JSON.parse('{"readOnlyHint":"true"}');
  expect(decision([], { ...trusted, annotations })).toBe("ask");
});

test("read-only together with destructive is destructive", () => {
  const annotations = { readOnlyHint: true, destructiveHint: true };
  expect(assess([], { ...trusted, annotations })).toMatchObject({
    type: "ask",
    by: { type: "hint", hint: "destructiveHint" },
    grantable: false,
  });
});

test("a tool that says it is destructive is asked even where a broad rule allows it, trusted or not", () => {
  for (const trust of [true, false]) {
    const tool = { server: "fs", name: "wipe", trusted: trust, annotations: { destructiveHint: true } };
    expect(assess(["allow fs/*", "allow fs/wipe"], tool, { path: "/a" })).toMatchObject({
      type: "ask",
      by: { type: "hint", hint: "destructiveHint" },
      grantable: false,
    });
    expect(decision(["allow fs/wipe path=/tmp/**"], tool, { path: "/tmp/x" })).toBe("allow");
    expect(decision(["allow fs/wipe path=/tmp/**"], tool, { path: "/etc/x" })).toBe("ask");
  }
});

test("a call that reaches outside carries a warning, and an unknown reach only where it is asked", () => {
  const open = { ...trusted, annotations: { openWorldHint: true } };
  expect(assess(["allow */*"], open).warnings.join()).toContain("reaches outside");
  expect(assess(["allow */*"], trusted).warnings).toEqual([]);
  expect(assess([], trusted).warnings.join()).toContain("may reach outside");
  expect(assess([], { ...trusted, annotations: { openWorldHint: false } }).warnings).toEqual([]);
  expect(assess([], { annotations: { openWorldHint: false } }).warnings.join()).toContain(
    "may reach outside",
  );
});

test("the host's own tools are allowed whatever the rules say, and are never hidden", () => {
  const policy = createPolicy(parseRules(["deny */*", "hide */*"], "user"));
  const facts = makeFacts(makeTool({ server: "drawbridge", name: "read_output" }));
  expect(policy.assess(facts)).toMatchObject({ type: "allow", by: { type: "builtin" } });
  expect(policy.hidden(facts.route)).toBe(false);
});

test("a call that a person typed is allowed unless a rule denies it", () => {
  const destructive = { annotations: { destructiveHint: true } };
  expect(assess([], destructive, {}, "direct")).toMatchObject({ type: "allow", by: { type: "direct" } });
  expect(assess(["ask */*"], {}, {}, "direct").type).toBe("allow");
  expect(assess(["hide */*"], {}, {}, "direct").type).toBe("allow");
  expect(assess(["deny workspace/*"], {}, {}, "direct")).toMatchObject({
    type: "deny",
    by: { type: "rule" },
  });
});

test("a hidden tool is kept from the list and from being called, unless a narrower rule brings it back", () => {
  const policy = createPolicy(
    parseRules(["hide fs/*", "allow fs/read", "allow fs/write path=/a/**"], "user"),
  );
  expect(policy.hidden({ server: "fs", tool: "move" })).toBe(true);
  expect(policy.hidden({ server: "fs", tool: "read" })).toBe(false);
  expect(policy.hidden({ server: "fs", tool: "write" })).toBe(false);
  expect(policy.hidden({ server: "db", tool: "read" })).toBe(false);
  const write = makeTool({ server: "fs", name: "write" });
  expect(policy.assess(makeFacts(write, { path: "/etc" })).type).toBe("deny");
  expect(policy.assess(makeFacts(write, { path: "/a/b" })).type).toBe("allow");
});

test("the administrator's rules come before the user's, and their questions cannot be granted away", () => {
  const rules = [...parseRules(["ask fs/*"], "administrator"), ...parseRules(["allow fs/write"], "user")];
  const tool = { server: "fs", name: "write" };
  expect(assess(rules, tool)).toMatchObject({ type: "ask", by: { tier: "administrator" }, grantable: false });
  expect(assess(rules, { server: "db" }).by.type).toBe("default");
});

test("the project's rules can only make it stricter", () => {
  const tool = { server: "fs", name: "write" };
  const project = (text: string) => parseRules([text], "project");
  const user = parseRules(["allow fs/*"], "user");
  expect(assess(project("allow fs/*"), tool).type).toBe("ask");
  expect(assess([...user, ...project("ask fs/write")], tool)).toMatchObject({
    type: "ask",
    grantable: false,
  });
  expect(assess([...parseRules(["deny fs/*"], "user"), ...project("allow fs/write")], tool).type).toBe(
    "deny",
  );
  expect(assess(project("ask fs/*"), { ...tool, ...trusted, annotations: { readOnlyHint: true } }).type).toBe(
    "ask",
  );
});

const effects = ["allow", "ask", "hide", "deny"] as const;
const part = fc.constantFrom("*", "fs", "db", "f*", "*s");
const toolPart = fc.constantFrom("*", "read", "write", "w*", "*e");
const condition = fc.constantFrom("", " path=/a/**", " path=/a/b", " mode=*");
const rule = fc
  .tuple(
    fc.constantFrom(...effects),
    part,
    toolPart,
    condition,
    fc.constantFrom("administrator" as const, "user" as const, "project" as const),
  )
  .map(
    ([effect, server, tool, when, tier]) =>
      parseRules([`${effect} ${server}/${tool}${effect === "hide" ? "" : when}`], tier)[0],
  )
  .filter((parsed) => parsed !== undefined);
const hint = fc.constantFrom(true, false, undefined);
const toolParts: fc.Arbitrary<ToolParts> = fc
  .record({
    server: fc.constantFrom("fs", "db"),
    name: fc.constantFrom("read", "write"),
    trusted: fc.boolean(),
    read: hint,
    destroy: hint,
  })
  .map(({ read, destroy, ...rest }) => ({
    ...rest,
    annotations: {
      ...(read === undefined ? {} : { readOnlyHint: read }),
      ...(destroy === undefined ? {} : { destructiveHint: destroy }),
    },
  }));
const values = fc.record({ path: fc.constantFrom("/a/b", "/a/../b", "/c"), mode: fc.constantFrom("x", "y") });
const strictness = { allow: 0, ask: 1, deny: 2 };

test("the order of rules never matters", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), toolParts, values, fc.nat(), (rules, tool, args, turn) => {
      const at = turn % (rules.length + 1);
      const rotated = [...rules.slice(at), ...rules.slice(0, at)];
      expect(assess(rotated, tool, args)).toEqual(assess(rules, tool, args));
      expect(assess([...rules].reverse(), tool, args)).toEqual(assess(rules, tool, args));
    }),
    { numRuns: 500 },
  );
});

test("no decision is looser than the rules and hints allow", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), toolParts, values, (rules, tool, args) => {
      const found = assess(rules, tool, args);
      const alone = (tier: Rule["tier"]) => rules.filter((each) => each.tier === tier);
      const matching = (each: Rule) =>
        assess([{ ...each, tier: "user" }], { ...tool, annotations: {} }, args).by.type === "rule";
      const admin = alone("administrator").filter(matching);
      const base = admin.length > 0 ? admin : alone("user").filter(matching);
      const destructive = tool.annotations?.destructiveHint === true;
      if (base.some((each) => each.effect === "deny")) expect(found.type).toBe("deny");
      if (alone("project").some((each) => each.effect === "deny" && matching(each)))
        expect(found.type).toBe("deny");
      if (found.type === "allow") {
        const byHint = tool.trusted === true && tool.annotations?.readOnlyHint === true && !destructive;
        expect(base.some((each) => each.effect === "allow") || (base.length === 0 && byHint)).toBe(true);
        if (destructive)
          expect(base.some((each) => each.effect === "allow" && each.conditions.length > 0)).toBe(true);
      }
      if (destructive) expect(found.grantable).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("neither a project's rules, nor distrust, nor a destructive hint ever makes a decision looser", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), toolParts, values, (rules, tool, args) => {
      const level = (given: readonly Rule[], parts: ToolParts) => strictness[assess(given, parts, args).type];
      const whole = level(rules, tool);
      expect(whole).toBeGreaterThanOrEqual(
        level(
          rules.filter((each) => each.tier !== "project"),
          tool,
        ),
      );
      expect(level(rules, { ...tool, trusted: false })).toBeGreaterThanOrEqual(
        level(rules, { ...tool, trusted: true }),
      );
      const worse = { ...tool, annotations: { ...tool.annotations, destructiveHint: true } };
      expect(level(rules, worse)).toBeGreaterThanOrEqual(whole);
    }),
    { numRuns: 500 },
  );
});
