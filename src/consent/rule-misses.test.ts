import { expect, test } from "vitest";
import type { JsonObject } from "../types/json.ts";
import type { ServerToolList } from "../types/tool.ts";
import { ruleMisses } from "./rule-misses.ts";
import { parseRules } from "./rules.ts";

function list(tools: Readonly<Record<string, JsonObject>>): ServerToolList {
  return {
    ...{ server: "fs", trusted: false, configHash: "h" },
    tools: Object.entries(tools).map(([name, inputSchema]) => ({
      ...{ name, inputSchema, description: "", annotations: {} },
    })),
    quarantined: [{ server: "fs", tool: "broken", reason: "Its schema is no schema." }],
  };
}

const lists = [
  list({
    read: { type: "object", properties: { path: { type: "string" } } },
    write: { type: "object", properties: { path: {}, text: {} } },
    open: { type: "object" },
    loose: { type: "object", properties: {}, additionalProperties: true },
  }),
];
const misses = (...texts: string[]) => ruleMisses(parseRules(texts, "user"), lists);

test("a rule for a tool that its server does not have is told, with what it does: nothing", () => {
  expect(misses("deny fs/raed", "deny fs/r\u0435ad", "allow fs/remove_*")).toEqual([
    "The rule `deny fs/raed` names no tool that its server has, and matches nothing.",
    "The rule `deny fs/r\u0435ad` names no tool that its server has, and matches nothing.",
    "The rule `allow fs/remove_*` names no tool that its server has, and matches nothing.",
  ]);
});

test("a condition on an argument that no tool of the rule has is told", () => {
  expect(misses("deny fs/read pth=/etc/**", "ask fs/w* readOnly=false")).toEqual([
    "The rule `deny fs/read pth=/etc/**` matches nothing: no tool that it names has the argument of `pth=/etc/**`.",
    "The rule `ask fs/w* readOnly=false` matches nothing: no tool that it names has the argument of `readOnly=false`.",
  ]);
});

test("nothing is told of rules that may match: other servers, tools kept back, methods, open schemas, the situation", () => {
  expect(
    misses(
      ...["deny fs/read path=a", "deny fs/* text=a", "deny */raed", "deny other/raed", "deny fs/broken"],
      ...[
        'deny fs/"resources/read"',
        "deny fs/open pth=a",
        "deny fs/loose pth=a",
        "deny fs/* @trust=untrusted",
      ],
      "deny fs/read regex(path.0.x)=a",
    ),
  ).toEqual([]);
  expect(misses("deny fs/read __proto__=a", "deny fs/read toString=a")).toHaveLength(2);
});
