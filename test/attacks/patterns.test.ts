import { expect, test } from "vitest";
import { createConsent } from "../../src/consent/consent.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { systemClock } from "../../src/util/clock.ts";
import { attack, calling } from "./attack.ts";

// Nothing here measures time: what is not linear never ends.

const long = "a".repeat(50_000);
const consentOf = (rule: string) => createConsent({ rules: [rule], approve: null, clock: systemClock });

test.each([
  "deny s/act regex(text)=^(a+)+$",
  "deny s/act regex(text)=^(a|aa)+$",
  "deny s/act regex(text)=^(a|a)*$",
  "deny s/act regex(text)=^(.*)*.*$x",
  `deny s/act regex(text)=^${"a?".repeat(30)}${"a".repeat(30)}$`,
  "deny s/act text=*a*a*a*a*a*a*a*a*a*a*b",
  "deny s/act host(url)=*.a.*.a.*.a.*.b",
  `deny ${"a*".repeat(40)}b/act`,
])("the rule %s ends over a text that is made to keep it busy", async (rule) => {
  const server = fakeServer([textTool("act", () => "done")]);
  const input = { text: `${long}!`, url: `https://${"a.".repeat(120)}c/` };
  const { decisions } = await attack(
    [calling({ name: "s__act", input })],
    { s: server },
    {
      policy: { rules: [rule, "allow s/act"] },
    },
  );
  expect(decisions).toEqual(["allow"]);
});

test.each([
  ["counts within counts", "regex(a)=((x{1000}){1000}){1000}"],
  ["a look ahead", "regex(a)=(?=x)x"],
  ["a back reference", "regex(a)=(x)\\1"],
  ["more text than a person writes", `regex(a)=${"x".repeat(100_000)}`],
  ["deep brackets", `regex(a)=${"(".repeat(50_000)}x${")".repeat(50_000)}`],
  ["no end", "regex(a)=(x"],
])(
  "a pattern with %s is an error at the start that names the rule, and no rule that is passed over",
  (_, condition) => {
    expect(() => consentOf(`deny s/act ${condition}`)).toThrow(/The rule `deny s\/act/);
  },
);

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/$defs/d${index + 1}` };
    return [`d${index}`, { anyOf: [next, next] }];
  }),
);

const bombs: readonly (readonly [string, JsonObject])[] = [
  ["pattern", { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } }],
  ["patternProperties", { type: "object", patternProperties: { "^(a+)+$": { type: "number" } } }],
  ["propertyNames", { type: "object", propertyNames: { pattern: "^(x?x?)+[a-z]+$" } }],
  ["a large count", { type: "object", properties: { text: { pattern: "^(a{1,1000}){1,1000}$" } } }],
  ["a reference to itself", { $ref: "#" }],
  [
    "references that double",
    {
      $defs: { ...doubling, d40: { type: "number" } },
      $ref: "#/$defs/d0",
    },
  ],
];

test.each(bombs)(
  "a server's schema with %s that is made to keep a host busy does not",
  async (_, inputSchema) => {
    const server = fakeServer([
      textTool("act", () => "done", { inputSchema }),
      textTool("other", () => "still here"),
    ]);
    const calls = [
      { name: "s__act", input: { text: `${"a".repeat(40)}!`, [`${"x".repeat(40)}!`]: 1 } },
      { name: "s__other" },
    ];
    const { told } = await attack([calling(...calls)], { s: server }, { policy: { rules: ["allow */*"] } });
    expect(told).toHaveLength(2);
    expect(told[1]).toBe("still here");
  },
);

test("a server's schema that is too deep or too large takes its own tool away, and no other", async () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 2_000; level += 1) deep = { type: "object", properties: { a: deep } };
  const server = fakeServer([
    textTool("deep", () => "x", { inputSchema: deep as never }),
    textTool("large", () => "x", { inputSchema: { type: "object", description: "x".repeat(1_000_000) } }),
    textTool("other", () => "still here"),
  ]);
  const { told } = await attack(
    [calling({ name: "s__other" })],
    { s: server },
    {
      policy: { rules: ["allow */*"] },
    },
  );
  expect(told).toEqual(["still here"]);
});
