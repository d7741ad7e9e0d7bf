import { expect, test } from "vitest";
import { makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeFacts, makeTool } from "../../test/support/tools.ts";
import type { ToolRoute } from "../types/tool.ts";
import { createPolicy } from "./policy.ts";
import { createRuleIndex } from "./rule-index.ts";
import { idleRules, parseProjectRules, parseRules } from "./rules.ts";
import { suggestRule } from "./suggestion.ts";

const rule = (text: string) => parseRules([text], "user")[0];

test.each([
  ["", "it must begin with allow, ask, deny or hide"],
  ['"allow" s/t', "it must begin with allow, ask, deny or hide"],
  ['al"low" s/t', "it must begin with allow, ask, deny or hide"],
  ["Allow s/t", "it must begin with allow, ask, deny or hide"],
  ["allow", "behind allow a server and a tool are expected, such as allow server/tool"],
  ["deny s", "behind deny a server and a tool are expected"],
  ["allow /t", "the server and the tool must both be named"],
  ["allow s/", "the server and the tool must both be named"],
  ["allow s/t/u", "a name that holds a / must stand in quotes"],
  ["allow s?/t", "only * and ** are wildcards"],
  ["allow s/t?", "only * and ** are wildcards"],
  ["hide s/t a=b", "hide takes no argument conditions"],
  ["deny s/t @message=", "@message stands once"],
  ['deny s/t @message="a" @message="b"', "@message stands once"],
  ['ask s/t @message="a"', "@message stands once"],
  ['hide s/t @message="a"', "@message stands once"],
  ['allow s/t a="b', "a quote must hold one complete JSON string"],
  ['allow s/t a="\\x"', "a quote must hold one complete JSON string"],
  [`allow s/${"t".repeat(4_089)}`, "a rule has at most 4096 characters"],
])("`%s` is not valid: %s", (text, expected) => {
  expect(() => parseRules([text], "user")).toThrow(expected);
});

test("a rule of 4,096 characters is read, and an error shows the first 200 of one that is wrong", () => {
  expect(rule(`allow s/${"t".repeat(4_088)}`)?.effect).toBe("allow");
  const shown = (text: string) => {
    try {
      parseRules([text], "user");
    } catch (error) {
      return /The rule `(.*)` is not valid/.exec(String(error))?.[1];
    }
    return null;
  };
  expect(shown("x".repeat(200))).toBe("x".repeat(200));
  expect(shown("x".repeat(201))).toBe(`${"x".repeat(200)}…`);
  expect(() => parseRules([5 as unknown as string], "user")).toThrow(
    "The rule `5` is not valid: a rule is a text.",
  );
});

test("a message is what the model reads, in one piece or several", () => {
  expect(rule("deny s/t @message=stop")?.message).toBe("stop");
  expect(rule('deny s/t @message="not "now a=b')?.message).toBe("not now");
  expect(rule("deny s/t a=b")?.message).toBe("");
  expect(rule('deny s/t @message="a=b"')?.message).toBe("a=b");
  expect(rule('deny s/t "@message"=x')?.message).toBe("");
});

test("rules mean the same when all their parts do, in whatever order their conditions stand", () => {
  const meaning = (text: string) => rule(text)?.meaning;
  expect(meaning("allow s/t a=b c=d")).toBe(meaning("allow  s/t  c=d   a=b"));
  expect(meaning('allow "s"/"t"')).toBe(meaning("allow s/t"));
  const different = [
    "allow s/t",
    "ask s/t",
    "allow u/t",
    "allow s/u",
    "allow s/t a=b",
    "deny s/t",
    'deny s/t @message="m"',
  ];
  expect(new Set(different.map(meaning)).size).toBe(different.length);
});

test("a project's rule that allows is refused by its own text, and others are of the project", () => {
  expect(() => parseProjectRules(["ask s/t", "allow s/u"])).toThrow(
    "The rule `allow s/u` is not valid: a project's rules",
  );
  expect(parseProjectRules(["ask s/t", "deny s/u"]).map(({ tier }) => tier)).toEqual(["project", "project"]);
});

test("rules for a server that is not there are told, but for patterns and the host itself", () => {
  const rules = parseRules(
    ["allow there/t", "allow gone/t", "allow */t", "allow g*/t", "deny drawbridge/t"],
    "user",
  );
  expect(idleRules(rules, ["there"])).toEqual([
    "The rule `allow gone/t` names no server of this host and matches nothing.",
  ]);
});

test("rules are found by their names, in their tiers, and the same object for the same route", () => {
  const rules = [
    ...parseRules(
      ["allow s/t", "ask s/*", "deny */t", "allow */*", "ask s*/t", "deny s/t*", "allow u/t"],
      "user",
    ),
    ...parseRules(["ask s/t a=b", "deny s/t a=c"], "administrator"),
    ...parseProjectRules(["ask s/t"]),
  ];
  const find = createRuleIndex(rules);
  const found = (route: ToolRoute) => {
    const { administrator, user, project } = find(route);
    return [administrator, user, project].map((tier) => tier.map(({ text }) => text).sort());
  };
  const route = { server: "s", tool: "t" };
  expect(found(route)).toEqual([
    ["ask s/t a=b", "deny s/t a=c"],
    ["allow */*", "allow s/t", "ask s*/t", "ask s/*", "deny */t", "deny s/t*"],
    ["ask s/t"],
  ]);
  expect(found({ server: "u", tool: "t" })[1]).toEqual(["allow */*", "allow u/t", "deny */t"]);
  expect(found({ server: "u", tool: "x" })[1]).toEqual(["allow */*"]);
  expect(find(route)).toBe(find(route));
});

test("a rule is suggested that allows the call and is as wide as it may be", () => {
  const suggested = (rules: string[], values: Record<string, string | number>) => {
    const policy = createPolicy(parseRules(rules, "user"));
    return suggestRule(makeFacts(makeTool(), values, { mode: "headless" }), policy, (text) => text);
  };
  const whole = "allow workspace/run_command";
  expect(suggested([], { a: "x" })).toBe(whole);
  expect(suggested(["ask workspace/run_command a=x"], { a: "x", n: 1 })).toBeNull();
  expect(suggested(["ask workspace/run_command a=*"], { a: "x" })).toBe(`${whole} a=x`);
  expect(suggested(["ask workspace/run_command a=*"], { a: "x".repeat(120) })).toBe(
    `${whole} a=${"x".repeat(120)}`,
  );
  expect(suggested(["ask workspace/run_command a=*"], { a: "x".repeat(121) })).toBeNull();
  expect(suggested(["ask workspace/run_command a.b=*"], { "": "x" })).toBe(whole);
  expect(suggested(["ask workspace/run_command a=* b=*"], { a: "x", b: "y" })).toBe(`${whole} a=x b=y`);
  expect(suggested(['ask workspace/run_command "a b"=*'], { "a b": "x" })).toBe(`${whole} "a b"=x`);
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, "x"]));
  expect(suggested(["ask workspace/run_command a7=*"], nine)).toBe(`${whole} a7=x`);
  expect(suggested(["ask workspace/run_command a8=*"], nine)).toMatch(/ a0=x .* a8=x$/);
  expect(suggested(["deny workspace/run_command"], { a: "x" })).toBeNull();
});

test("what is tried out stands in the place of the rules of its own tier", async () => {
  const decided = async (settings: Parameters<typeof makeConsent>[0]) => {
    const { consent } = makeConsent({ approve: null, ...settings });
    const [verdict] = await Promise.all(consent.decide([makeCall(makeTool())], makeContext()));
    const decision = verdict?.type === "approved" ? verdict.approved.decision : verdict?.decision;
    return [decision?.type, decision?.shadow?.decision];
  };
  const rules = ["allow */*"];
  const deny = ["deny */*"];
  expect(await decided({ rules })).toEqual(["allow", undefined]);
  expect(await decided({ rules, shadowRules: deny })).toEqual(["allow", "deny"]);
  expect(await decided({ rules, shadowRules: rules })).toEqual(["allow", undefined]);
  expect(await decided({ rules, administratorShadowRules: deny })).toEqual(["allow", "deny"]);
  expect(await decided({ rules: deny, administratorShadowRules: rules })).toEqual(["deny", "allow"]);
  expect(await decided({ rules, projectRules: ["ask */*"], shadowRules: rules })).toEqual([
    "deny",
    undefined,
  ]);
  expect(await decided({ administratorRules: rules, shadowRules: deny })).toEqual(["allow", undefined]);
});
