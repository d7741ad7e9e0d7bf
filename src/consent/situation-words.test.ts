import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { CallFacts } from "../types/policy.ts";
import { ruleMisses } from "./rule-misses.ts";
import { parseRules } from "./rules.ts";
import { coversSituation, isSituation, readSituation, type Situation } from "./situation.ts";
import { splitWords } from "./words.ts";

const read = (written: string): Situation => {
  const [name = "", value = ""] = written.split("=");
  return readSituation(name, splitWords(value)?.[0] ?? []);
};
const is = (written: string, parts: Partial<CallFacts>) =>
  isSituation(read(written), makeFacts(makeTool(), {}, parts));

test("a condition covers those that ask no more than it does", () => {
  const all = [
    "trust=trusted",
    "trust=untrusted",
    "mode=headless",
    "mode=interactive",
    "readOnly=true",
    "readOnly=false",
    "destructive=true",
    "principal=ann",
    "principal=a*",
    "flow=untrusted->write",
    "flow=untrusted->*",
    "flow=*->write",
    "flow=*->*",
    "flow=private->open-world",
  ];
  const covered = (one: string) => all.filter((other) => coversSituation(read(one), read(other)));
  expect(Object.fromEntries(all.map((one) => [one, covered(one)]))).toEqual({
    "trust=trusted": ["trust=trusted"],
    "trust=untrusted": ["trust=untrusted"],
    "mode=headless": ["mode=headless"],
    "mode=interactive": ["mode=interactive"],
    "readOnly=true": ["readOnly=true"],
    "readOnly=false": ["readOnly=false"],
    "destructive=true": ["destructive=true"],
    "principal=ann": ["principal=ann", "principal=a*"],
    "principal=a*": ["principal=a*"],
    "flow=untrusted->write": ["flow=untrusted->write", "flow=untrusted->*", "flow=*->write", "flow=*->*"],
    "flow=untrusted->*": ["flow=untrusted->*", "flow=*->*"],
    "flow=*->write": ["flow=*->write", "flow=*->*"],
    "flow=*->*": ["flow=*->*"],
    "flow=private->open-world": ["flow=*->*", "flow=private->open-world"],
  });
});

test("a flow is written whole", () => {
  for (const written of [
    "flow=xuntrusted->write",
    "flow=untrusted->writes",
    "flow=untrusted",
    "flow=->write",
  ]) {
    expect(() => read(written)).toThrow("@flow goes from");
  }
});

test("what only reads is idempotent too, where its server is trusted", () => {
  const trusted = { trusted: true };
  expect(is("idempotent=true", { ...trusted, annotations: { readOnlyHint: true } })).toBe(true);
  expect(is("idempotent=true", { ...trusted, annotations: { readOnlyHint: false } })).toBe(false);
  expect(is("idempotent=true", { ...trusted, annotations: {} })).toBe(false);
  expect(is("idempotent=true", { ...trusted, annotations: { idempotentHint: true } })).toBe(true);
  expect(
    is("idempotent=true", { ...trusted, annotations: { readOnlyHint: true, destructiveHint: true } }),
  ).toBe(false);
});

test("a write is what does not only read, and open world what may carry something to others", () => {
  const reads = { untrusted: true, private: true };
  const readOnly = { trusted: true, reads, annotations: { readOnlyHint: true } };
  const closed = { trusted: true, reads, annotations: { openWorldHint: false } };
  expect(is("flow=*->write", readOnly)).toBe(false);
  expect(is("flow=*->open-world", readOnly)).toBe(true);
  expect(is("flow=*->write", closed)).toBe(true);
  expect(is("flow=*->open-world", closed)).toBe(false);
  expect(is("flow=*->*", { ...closed, annotations: { readOnlyHint: true, openWorldHint: false } })).toBe(
    true,
  );
});

test("any tool that may have the argument is enough, and a long rule is told by its first 200 characters", () => {
  const tool = (name: string, inputSchema: object) =>
    ({ name, inputSchema, description: "", annotations: {} }) as never;
  const closed = { type: "object", properties: { path: {} } };
  const lists = [
    {
      ...{ server: "fs", trusted: false, configHash: "h" },
      tools: [tool("open", { ...closed, anyOf: [] }), tool("closed", closed)],
      quarantined: [
        { server: "fs", tool: "broken", reason: "" },
        { server: "fs", tool: "other", reason: "" },
      ],
    },
  ];
  const misses = (...texts: string[]) => ruleMisses(parseRules(texts, "user"), lists);
  expect(misses("deny fs/open pth=x", "deny fs/* pth=x", "deny fs/broken", "deny fs/other")).toEqual([]);
  expect(misses("deny fs/closed pth=x")).toHaveLength(1);
  const [told = ""] = misses(`deny fs/${"x".repeat(300)}`);
  expect(told).toContain(`\`deny fs/${"x".repeat(192)}…\``);
});
