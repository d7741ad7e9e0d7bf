import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { ToolAnnotations } from "../types/tool.ts";
import { createPolicy } from "./policy.ts";
import { parseRules } from "./rules.ts";

const reads = { untrusted: true, private: true };

/** What is decided once private and untrusted content was read. */
function after(rules: readonly string[], annotations: ToolAnnotations = {}, flows: "ask" | "off" = "ask") {
  const tool = makeTool({ server: "fs", name: "write", trusted: true, annotations });
  const policy = createPolicy(parseRules(rules, "user"), { flows });
  return policy.assess(makeFacts(tool, { path: "/a/b", mode: "x" }, { reads }));
}

test("a flow is asked about, whatever a rule allows that does not speak of it", () => {
  for (const rule of ["allow fs/*", "allow fs/write path=/a/b", "allow fs/write @mode=interactive"]) {
    expect(after([rule])).toMatchObject({ type: "ask", by: { type: "flow" }, beneath: { type: "rule" } });
  }
  expect(after(["allow fs/write @flow=untrusted->write"])).toMatchObject({
    type: "ask",
    by: { type: "flow" },
  });
});

test("a rule that allows such a flow silences it; one that asks for it does not", () => {
  expect(after(["allow fs/write @flow=private->open-world"]).type).toBe("allow");
  expect(after(["allow fs/write @flow=*->*"]).type).toBe("allow");
  expect(after(["ask fs/write @flow=private->open-world"])).toMatchObject({ by: { type: "flow" } });
});

test("of two rules that allow and cannot be compared, the one that says nothing of flows decides, in either order", () => {
  const rules = ["allow fs/* @flow=private->open-world", "allow */write"];
  expect(after(rules)).toMatchObject({ type: "ask", by: { type: "flow" } });
  expect(after(rules.toReversed())).toMatchObject({ type: "ask", by: { type: "flow" } });
});

test("where flows are off nothing is asked about them", () => {
  expect(after(["allow fs/*"], {}, "off").type).toBe("allow");
});

test("an answer about a flow may last where the call would run without it", () => {
  const destructive = { destructiveHint: true };
  expect(after(["allow fs/write path=/a/b"], destructive)).toMatchObject({ type: "ask", grantable: true });
  expect(after(["allow fs/write"], destructive)).toMatchObject({ type: "ask", grantable: false });
  expect(after(["allow fs/write"])).toMatchObject({ grantable: true });
});

test("the host's own tools are allowed, with whatever rule beside", () => {
  const tool = makeTool({ server: "drawbridge", name: "read_more" });
  const policy = createPolicy(parseRules(["deny */*"], "user"));
  const [rule] = parseRules(["deny drawbridge/*"], "user");
  const facts = makeFacts(tool, {}, { reads });
  if (rule === undefined) return expect.unreachable();
  for (const assessed of [policy.assess(facts), policy.assessWith(rule, facts)]) {
    expect(assessed).toMatchObject({ type: "allow", by: { type: "builtin" } });
  }
  expect(policy.hidden(tool.route)).toBe(false);
});

test("a tool is hidden by the rule that decides about all its calls, of whatever tier; a deny says nothing of that", () => {
  const hidden = (
    user: readonly string[],
    administrator: readonly string[] = [],
    project: readonly string[] = [],
  ) =>
    createPolicy([
      ...parseRules(user, "user"),
      ...parseRules(administrator, "administrator"),
      ...parseRules(project, "project"),
    ]).hidden({ server: "fs", tool: "write" });
  expect(hidden(["hide fs/*"])).toBe(true);
  expect(hidden(["hide fs/*", "deny fs/write"])).toBe(true);
  expect(hidden(["hide fs/*", "allow fs/write"])).toBe(false);
  expect(hidden(["hide fs/*", "allow fs/write path=x"])).toBe(false);
  expect(hidden(["deny fs/write"])).toBe(false);
  expect(hidden(["hide fs/*"], ["allow fs/*"])).toBe(false);
  expect(hidden(["allow fs/*"], ["hide fs/*"])).toBe(true);
  expect(hidden(["allow fs/*"], ["allow fs/*"], ["hide fs/write"])).toBe(true);
  expect(hidden(["hide fs/*"], ["deny fs/write"])).toBe(true);
});
