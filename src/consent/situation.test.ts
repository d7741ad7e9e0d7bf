import { expect, test } from "vitest";
import { makeFacts, makeTool, type ToolParts } from "../../test/support/tools.ts";
import type { CallFacts } from "../types/policy.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { createPolicy } from "./policy.ts";
import { parseRules } from "./rules.ts";

/** What an allow and what a deny with the same condition say. */
function both(
  condition: string,
  tool: ToolParts = {},
  parts: Partial<CallFacts> = {},
): readonly [boolean, boolean] {
  const view = createCallView(makeFacts(makeTool(tool), {}, parts));
  const [allow, deny] = parseRules([`allow s/t ${condition}`, `deny s/t ${condition}`], "user").map((rule) =>
    meetsConditions(rule, view),
  );
  return [allow === true, deny === true];
}

const neither = [false, false];
const each = [true, true];

test("a rule may ask whether the server is trusted, who acts, and whether anybody can be asked", () => {
  expect(both("@trust=trusted", { trusted: true })).toEqual(each);
  expect(both("@trust=trusted")).toEqual(neither);
  expect(both("@trust=untrusted")).toEqual(each);
  expect(both("@principal=ann")).toEqual(each);
  expect(both("@principal=bot-*", {}, { principal: "bot-7" })).toEqual(each);
  expect(both("@principal=bot-*")).toEqual(neither);
  expect(both("@mode=headless", {}, { mode: "headless" })).toEqual(each);
  expect(both("@mode=headless")).toEqual(neither);
});

test("annotations of a trusted server count, absent ones as the protocol reads them", () => {
  const of = (annotations: ToolParts["annotations"]): ToolParts => ({
    trusted: true,
    annotations: annotations ?? {},
  });
  expect(both("@readOnly=true", of({ readOnlyHint: true }))).toEqual(each);
  expect(both("@readOnly=false", of({}))).toEqual(each);
  expect(both("@readOnly=true", of({ readOnlyHint: true, destructiveHint: true }))).toEqual(neither);
  expect(both("@destructive=true", of({}))).toEqual(each);
  expect(both("@destructive=false", of({ destructiveHint: false }))).toEqual(each);
  expect(both("@destructive=false", of({ readOnlyHint: true }))).toEqual(each);
  expect(both("@idempotent=true", of({ idempotentHint: true }))).toEqual(each);
  expect(both("@idempotent=true", of({}))).toEqual(neither);
  expect(both("@openWorld=true", of({}))).toEqual(each);
  expect(both("@openWorld=false", of({ openWorldHint: false }))).toEqual(each);
});

test("annotations of another server never allow and never get around a denial, whatever they say", () => {
  for (const value of [true, false, undefined]) {
    const annotations = {
      readOnlyHint: value,
      destructiveHint: value,
      idempotentHint: value,
      openWorldHint: value,
    };
    for (const name of ["readOnly", "destructive", "idempotent", "openWorld"]) {
      for (const wanted of [true, false]) {
        const tool: ToolParts = { annotations: JSON.parse(JSON.stringify(annotations)) };
        expect(both(`@${name}=${wanted}`, tool)).toEqual([false, true]);
      }
    }
  }
});

test("a flow goes from what the run has read to what the call may do", () => {
  const reads = { untrusted: true, private: false };
  const reader: ToolParts = { trusted: true, annotations: { readOnlyHint: true, openWorldHint: false } };
  expect(both("@flow=untrusted→write", {}, { reads })).toEqual(each);
  expect(both("@flow=untrusted->write", {}, { reads })).toEqual(each);
  expect(both("@flow=untrusted->write", reader, { reads })).toEqual(neither);
  expect(both("@flow=untrusted->open-world", reader, { reads })).toEqual(neither);
  expect(both("@flow=untrusted->*", reader, { reads })).toEqual(each);
  expect(both("@flow=private->write", {}, { reads })).toEqual(neither);
  expect(both("@flow=*->open-world")).toEqual(each);
});

test("hints of an untrusted server do not make a call less of a write, nor less open", () => {
  const reads = { untrusted: true, private: true };
  const liar: ToolParts = { annotations: { readOnlyHint: true, openWorldHint: false } };
  expect(both("@flow=untrusted->write", liar, { reads })).toEqual(each);
  expect(both("@flow=private->open-world", liar, { reads })).toEqual(each);
});

test("private and untrusted content together make an outward call asked, unless a rule with a flow allows it", () => {
  const facts = (parts: Partial<CallFacts>) =>
    makeFacts(makeTool({ server: "web", name: "post" }), {}, parts);
  const reads = { untrusted: true, private: true };
  const assess = (rules: string[], parts: Partial<CallFacts>) =>
    createPolicy(parseRules(rules, "user")).assess(facts(parts));
  expect(assess(["allow web/post"], { reads })).toMatchObject({
    type: "ask",
    by: { type: "flow" },
    beneath: { type: "rule" },
    grantable: true,
  });
  expect(assess([], { reads })).toMatchObject({ type: "ask", by: { type: "flow" }, grantable: true });
  expect(assess(["allow web/post"], { reads: { untrusted: true, private: false } }).type).toBe("allow");
  expect(assess(["allow web/post"], { reads: { untrusted: false, private: true } }).type).toBe("allow");
  expect(assess(["allow web/post @flow=private->open-world"], { reads }).type).toBe("allow");
  expect(assess(["deny web/post"], { reads })).toMatchObject({ type: "deny", by: { type: "rule" } });
  expect(assess(["allow web/post"], { reads, origin: "direct" }).type).toBe("allow");
  const closed = makeFacts(makeTool({ trusted: true, annotations: { openWorldHint: false } }), {}, { reads });
  expect(createPolicy(parseRules(["allow */*"], "user")).assess(closed).type).toBe("allow");
});

test("a condition of the situation is no argument condition: what is destructive is asked all the same", () => {
  const wipe = makeFacts(makeTool({ annotations: { destructiveHint: true } }), { path: "/tmp/x" });
  const assess = (rule: string) => createPolicy(parseRules([rule], "user")).assess(wipe).type;
  expect(assess("allow */* @principal=ann")).toBe("ask");
  expect(assess("allow */* @principal=ann under(path)=/tmp")).toBe("allow");
});
