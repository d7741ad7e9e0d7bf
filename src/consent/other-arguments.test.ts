import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ApprovalQuestion } from "../types/approval.ts";
import type { ArgumentCondition, GrantBinding, GrantStore } from "../types/grants.ts";
import type { JsonObject } from "../types/json.ts";
import { createConditionCheck, describeConditions, readConditions } from "./argument-conditions.ts";
import { leadsElsewhere } from "./leads-elsewhere.ts";
import { onlyTheseOf } from "./only-condition.ts";

const src: ArgumentCondition = { type: "under", argument: ["path"], folder: "src" };
const tool = makeTool();

/** A person who allows each call in this conversation when some conditions are met, and how often they were asked. */
function person(conditions: readonly ArgumentCondition[], scope: "conversation" | "always" = "conversation") {
  const questions: ApprovalQuestion[] = [];
  const { consent } = makeConsent({
    approve: (request) => {
      questions.push(...request.questions);
      for (const { id } of request.questions) request.answer(id, { type: "allow", scope, conditions });
    },
  });
  const context = makeContext();
  const call = (values: JsonObject) => decisionOf(consent, makeCall(tool, values), context);
  return { questions, call };
}

test("a call with an argument that the allowed one had not is asked, also inside of others and of lists", async () => {
  const { call, questions } = person([src]);
  await call({ path: "src/a", text: "x", edits: [{ old: "a" }], more: {} });
  for (const values of [
    { path: "src/b", text: "other words", edits: [{ old: "b" }, { old: "c" }], more: {} },
    { path: "src/b" },
    { path: "src/b", text: ["x"] },
  ]) {
    expect(await call(values)).toContain("allow by grant");
  }
  for (const [index, more] of [
    { url: "evil.example" },
    { edits: [{ old: "a" }, { old: "b", url: "evil.example" }] },
    { more: { url: "evil.example" } },
    JSON.parse('{"__proto__":{"url":"evil.example"}}') as JsonObject,
  ].entries()) {
    expect(
      await call({ path: "src/b", ...more, ...(Object.hasOwn(more, "__proto__") ? { x: 1 } : {}) }),
    ).toContain("allow by person");
    expect(questions).toHaveLength(index + 2);
  }
});

test("what no condition looks at must not lead elsewhere, and where the allowed call went is kept as it was", async () => {
  const { call, questions } = person([src]);
  expect(await call({ path: "src/a", to: "lib", url: "https://a.test/x" })).toMatch(
    /when path is under src\/ and url is at https:\/\/a\.test and there is no other argument than to, /,
  );
  expect(await call({ path: "src/b", to: "b", url: "https://a.test/y" })).toContain("allow by grant");
  for (const more of [
    { url: "https://b.test/" },
    { to: "/etc/passwd" },
    { to: ["x", "~/x"] },
    { to: "a/../../b" },
  ])
    await call({ path: "src/b", to: "b", url: "https://a.test/y", ...more });
  expect(questions).toHaveLength(5);
});

test("a call whose other arguments cannot be told, or go where no condition can hold them, is allowed once", async () => {
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`n${index}`, 1]));
  for (const more of [many, { ["n".repeat(101)]: 1 }, { list: ["/etc/passwd"] }] as JsonObject[]) {
    const { call, questions } = person([src]);
    await call({ path: "src/a", ...more });
    expect(await call({ path: "src/a", ...more })).toBe("allow by person: Allowed once by the person.");
    expect(questions.map(({ conditions }) => conditions)).toEqual([undefined, undefined]);
  }
});

test("a question says which other arguments there may be", async () => {
  const { call, questions } = person([src]);
  await call({ path: "src/a" });
  await call({ path: "src/a", content: "x".repeat(300) });
  expect(questions.map(({ conditions = [] }) => describeConditions(conditions))).toEqual([
    "path is under src/ and there are no other arguments",
    "path is under src/ and there is no other argument than content, which holds no URL and no path from elsewhere",
  ]);
});

test("a stored grant that does not say which other arguments a call may have allows nothing", async () => {
  let conditions: readonly ArgumentCondition[] = [src];
  const grant = (binding: GrantBinding) => ({ ...binding, id: "grant_1", at: "2026-01-02T00:00:00.000Z" });
  const store: GrantStore = {
    find: (binding) => (binding.conditions === undefined ? null : grant(binding)),
    conditional: (binding) => [grant({ ...binding, conditions })],
    allowedBefore: () => [],
    add: async (binding) => grant(binding),
  };
  const { consent } = makeConsent({
    lasting: { store: () => store, mayLast: () => true },
    approve: ({ questions, answer }) => {
      for (const { id } of questions) answer(id, { type: "deny" });
    },
  });
  const decide = () => decisionOf(consent, makeCall(tool, { path: "src/a" }), makeContext());
  expect(await decide()).toContain("deny by person");
  conditions = [src, { type: "only", arguments: [["path"]] }];
  expect(await decide()).toContain("allow by grant");
});

test("which arguments there may be is read in one order, once, and never alone", () => {
  const only = (...names: string[]): ArgumentCondition => ({
    type: "only",
    arguments: names.map((name) => [name]),
  });
  expect(readConditions([only("b", "a", "a"), src])).toEqual([src, only("a", "b")]);
  for (const wrong of [
    [only("a")],
    [src, only("a"), only("b")],
    [src, { type: "only", arguments: "path" }],
    [src, { type: "only", arguments: [[]] }],
    [src, { type: "only", arguments: [[1]] }],
    [src, only(...Array.from({ length: 33 }, (_, index) => `n${index}`))],
  ]) {
    expect(readConditions(wrong)).toBeNull();
  }
  expect(onlyTheseOf({ a: { b: [{ c: 1 }] } })).toEqual({
    type: "only",
    arguments: [["a"], ["a", "b"], ["a", "b", "c"]],
  });
  expect(createConditionCheck({ path: "src/a", a: 1 })([src, only("path")])).toBe(false);
});

test.each([
  "https://a.test",
  " https://a.test/ is what I mean",
  "HTTP:\\\\a.test",
  "file:/x",
  "/etc/passwd",
  "\\\\host\\share",
  "C:x",
  "~",
  "~me/x",
  "$HOME/x",
  "..",
  "a/..",
  "a\\..\\b",
  "%2fetc",
  "a/%2e%2e/b",
  "a/．．/b",
])("%j leads elsewhere", (text) => {
  expect(leadsElsewhere("to", text)).toBe(true);
});

test.each(["", "a", "a/b.ts", "a..b", "/** A comment. */ ../x", "note: this", "1..2", "x".repeat(9000)])(
  "%j leads nowhere else",
  (text) => {
    expect(leadsElsewhere("to", text)).toBe(false);
  },
);

test("under the name of a path a text with spaces leads elsewhere, too", () => {
  expect(leadsElsewhere("outputFile", "/my notes/x")).toBe(true);
  expect(leadsElsewhere("to", "/my notes/x")).toBe(false);
});

test("of more arguments than conditions may be about, those that say where the call goes are held first", async () => {
  const values = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`n${index}`, index]));
  const { call, questions } = person([src]);
  await call({ ...values, path: "src/a" });
  expect(questions[0]?.conditions?.[0]).toEqual(src);
  expect(questions[0]?.conditions).toHaveLength(9);
});
