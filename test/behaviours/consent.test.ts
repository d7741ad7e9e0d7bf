import { expect, test } from "vitest";
import { type FakeTool, fakeServer, textTool } from "../../src/testing/index.ts";
import type { ApprovalRequest, Approver } from "../../src/types/approval.ts";
import { runScript, textOf } from "../support/run-host.ts";

function hinted(name: string, annotations: Record<string, boolean>): FakeTool {
  return textTool(name, () => `${name} ran`, { annotations });
}

/** An approver that answers every question the same way and remembers what it was asked. */
function answering(type: "allow" | "deny") {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = (request) => {
    asked.push(request);
    for (const question of request.questions) {
      request.answer(
        question.id,
        type === "allow" ? { type, scope: "once" } : { type, message: "not today" },
      );
    }
  };
  return { approve, asked, questions: () => asked.flatMap((request) => request.questions) };
}

const once = (name: string, input: object = {}) => [{ calls: [{ name, input }] }, { text: "done" }];

test("a denied call gets an error result with its id, and the conversation goes on", async () => {
  const server = fakeServer([textTool("write", () => "written"), textTool("read", () => "read")]);
  const calls = [
    { id: "w", name: "s__write" },
    { id: "r", name: "s__read" },
  ];
  const { results, result } = await runScript([{ calls }, { text: "done" }], {
    servers: { s: server },
    policy: { rules: ["allow s/read"] },
    approve: answering("deny").approve,
  });
  expect(results(0).map((block) => [block.callId, block.isError])).toEqual([
    ["w", true],
    ["r", false],
  ]);
  expect(textOf(results(0)[0])).toContain("not today");
  expect(server.calls.map((call) => call.name)).toEqual(["read"]);
  expect(result.stop).toEqual({ type: "answered" });
});

test("with nobody to ask, a call is denied with the true reason and the rule that would allow it", async () => {
  const server = fakeServer([textTool("write", () => "written")]);
  const { results, result } = await runScript(once("s__write"), { servers: { s: server }, policy: {} });
  expect(server.calls).toEqual([]);
  expect(textOf(results(0)[0])).toContain("allow s/write");
  expect(result.unasked).toBe(1);
});

test("on a trusted server a read-only tool runs unasked and is in the audit log", async () => {
  const server = fakeServer([hinted("look", { readOnlyHint: true })]);
  const { approve, asked } = answering("deny");
  const { audit } = await runScript(once("s__look"), {
    servers: { s: server },
    policy: { trust: ["s"] },
    approve,
  });
  expect(asked).toEqual([]);
  expect(server.calls).toHaveLength(1);
  expect(audit).toContainEqual(
    expect.objectContaining({
      kind: "call_intended",
      tool: "look",
      by: { type: "hint", hint: "readOnlyHint" },
    }),
  );
});

test("on a trusted server a destructive tool is always asked, with the exact arguments", async () => {
  const server = fakeServer([hinted("wipe", { destructiveHint: true })]);
  const { approve, questions } = answering("allow");
  await runScript(once("s__wipe", { path: "/data" }), {
    servers: { s: server },
    policy: { trust: ["s"], rules: ["allow s/*"] },
    approve,
  });
  expect(questions().map((question) => question.calls[0].argumentsJson)).toEqual(['{"path":"/data"}']);
  expect(server.calls).toEqual([{ name: "wipe", arguments: { path: "/data" } }]);
});

test("a tool that reaches outside is asked with a warning that says so", async () => {
  const server = fakeServer([hinted("fetch", { openWorldHint: true, destructiveHint: false })]);
  const { approve, questions } = answering("allow");
  await runScript(once("s__fetch"), { servers: { s: server }, policy: { trust: ["s"] }, approve });
  expect(questions()[0]?.warnings.join(" ")).toMatch(/outside/i);
});

test("hints of an untrusted server never loosen anything", async () => {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const server = fakeServer([hinted("look", hints)]);
  const { approve, questions } = answering("deny");
  await runScript(once("s__look"), { servers: { s: server }, policy: {}, approve });
  expect(questions()).toHaveLength(1);
  expect(questions()[0]?.warnings.join(" ")).toMatch(/outside/i);
  expect(server.calls).toEqual([]);
});

test.each([
  ["an idempotent tool of a trusted server", true, ["s"], 2],
  ["an idempotent tool of an untrusted server", true, [], 1],
  ["another tool of a trusted server", false, ["s"], 1],
])(
  "after a timeout %s is called as often as its hint and the trust in it allow",
  async (_, idempotentHint, trust, times) => {
    const server = fakeServer([
      textTool(
        "set",
        (_args, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))),
        { annotations: { idempotentHint, destructiveHint: false } },
      ),
    ]);
    await runScript(once("s__set"), {
      servers: { s: server },
      policy: { trust, rules: ["allow s/set"] },
      limits: { callIdleMs: 100 },
    });
    expect(server.calls).toHaveLength(times);
  },
);

test("identical calls of one turn are one question, and what was allowed once is asked again in the next turn", async () => {
  const server = fakeServer([textTool("write", () => "written")]);
  const { approve, questions } = answering("allow");
  const calls = [{ name: "s__write" }, { name: "s__write" }];
  await runScript([{ calls }, { calls: [{ name: "s__write" }] }, { text: "done" }], {
    servers: { s: server },
    policy: {},
    approve,
  });
  expect(questions().map((question) => question.calls.length)).toEqual([2, 1]);
  expect(server.calls).toHaveLength(3);
});

test("a rule and a trust for a server that the host does not have are told as warnings, and the run goes on", async () => {
  const { events, result } = await runScript([{ text: "done" }], {
    policy: { rules: ["allow elsewhere/*"], trust: ["gone"] },
  });
  const text = "The rule `allow elsewhere/*` names no server of this host and matches nothing.";
  expect(events).toContainEqual({ type: "warning", code: "policy", text });
  const trust = 'policy.trust names "gone", which is no server of this host.';
  expect(events).toContainEqual({ type: "warning", code: "policy", text: trust });
  expect(result.stop).toEqual({ type: "answered" });
});
