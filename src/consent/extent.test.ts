import { expect, test } from "vitest";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ArgumentCondition } from "../types/grants.ts";
import { conditionsToOffer, extentOf, personReason } from "./extent.ts";

const plain = (text: string) => text;
const redact = (text: string) => text.replaceAll("geheim", "⟨secret⟩");
const values = { path: "/srv/geheim/a.ts", url: "https://geheim.example.com/x", mode: "fast", geheim: "x" };
const call = makeCall(makeTool(), values);
const scopes = ["once", "conversation", "always"] as const;

const under: ArgumentCondition = { type: "under", argument: ["path"], folder: "/srv/geheim" };
const host: ArgumentCondition = { type: "host", argument: ["url"], origin: "https://geheim.example.com" };
const mode: ArgumentCondition = { type: "equals", argument: ["mode"], value: "fast" };
const named: ArgumentCondition = { type: "equals", argument: ["geheim"], value: "x" };

test("nothing that holds a secret is offered: not in a folder, a host, a value or a name", () => {
  const only = { type: "only", arguments: Object.keys(values).map((name) => [name]) };
  expect(conditionsToOffer(call, plain)).toEqual([under, host, mode, named, only]);
  // Where the call goes could not be held.
  expect(conditionsToOffer(call, redact)).toEqual([]);
  const token = makeCall(makeTool(), { token: "geheim", mode: "fast" });
  expect(conditionsToOffer(token, redact)).toEqual([
    mode,
    { type: "only", arguments: [["token"], ["mode"]] },
  ]);
  const name = makeCall(makeTool(), { geheim: ["x"], mode: "fast" });
  expect(conditionsToOffer(name, redact)).toEqual([]);
});

test.each([
  ["folder", under],
  ["host", host],
  ["name", named],
])(
  "an answer that would keep a secret %s for good holds for the conversation only, also beside others",
  (_, one) => {
    const answer = { type: "allow", scope: "always", conditions: [mode, one] } as const;
    expect(extentOf(call, answer, scopes, plain).scope).toBe("always");
    expect(extentOf(call, answer, scopes, redact).scope).toBe("conversation");
  },
);

test("an answer for once has no conditions, whatever it says", () => {
  const extent = extentOf(call, { type: "allow", scope: "once", conditions: [mode] }, scopes, plain);
  expect(extent).toEqual({ scope: "once", conditions: null });
  expect(personReason(extent)).toBe("Allowed once by the person.");
});

test("conditions that the call does not meet, or that cannot be read, make it once", () => {
  const once = { scope: "once", conditions: null };
  const other: ArgumentCondition = { ...mode, value: "slow" };
  for (const conditions of [[], [other], [mode, other], ["x"]] as unknown as ArgumentCondition[][]) {
    expect(extentOf(call, { type: "allow", scope: "always", conditions }, scopes, plain)).toEqual(once);
  }
});

test("what was not offered is the next shorter that was", () => {
  const of = (scope: "conversation" | "always", offered: readonly ("once" | "conversation" | "always")[]) =>
    extentOf(call, { type: "allow", scope }, offered, plain).scope;
  expect(of("always", scopes)).toBe("always");
  expect(of("always", ["once", "conversation"])).toBe("conversation");
  expect(of("always", ["once"])).toBe("once");
  expect(of("conversation", ["once"])).toBe("once");
  expect(of("conversation", scopes)).toBe("conversation");
});

test("the reason says how long, and when", () => {
  expect(personReason({ scope: "always", conditions: [mode] })).toBe(
    'Allowed by the person for good, when mode is "fast".',
  );
  expect(personReason({ scope: "conversation", conditions: null })).toBe(
    "Allowed by the person for this conversation.",
  );
});
