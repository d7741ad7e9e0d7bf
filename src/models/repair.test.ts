import fc from "fast-check";
import { expect, test } from "vitest";
import type { AssistantMessage, Message } from "../types/message.ts";
import type { ModelRequest } from "../types/model.ts";
import type { CatalogTool, ToolSnapshot } from "../types/tool.ts";
import { type Culprit, createRepairer } from "./repair.ts";

function snapshotOf(...aliases: string[]): ToolSnapshot {
  const tools = aliases.map((alias) => ({ alias, route: { server: "s", tool: alias } }) as CatalogTool);
  return { version: 1, tools, byAlias: new Map(tools.map((tool) => [tool.alias, tool])), quarantined: [] };
}

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const snapshot = snapshotOf("a", "b");

function requestOf(messages: readonly Message[], tools: ToolSnapshot = snapshot): ModelRequest {
  return { system: "", snapshot: tools, messages, maxTokens: 1, signal: new AbortController().signal };
}

test("a request that nothing is known about is itself", () => {
  const request = requestOf([user("go")]);
  expect(createRepairer().apply(request)).toBe(request);
});

test("a mended snapshot keeps its identity from turn to turn, so that its bytes are made once", () => {
  const repairer = createRepairer();
  const go = user("go");
  repairer.learn(requestOf([go]), [{ type: "tool", alias: "b" }]);
  const first = repairer.apply(requestOf([go])).snapshot;
  expect(first.tools.map(({ alias }) => alias)).toEqual(["a"]);
  expect(repairer.apply(requestOf([go, user("and?")])).snapshot).toBe(first);
  const more = snapshotOf("a", "b", "c");
  expect(repairer.apply(requestOf([go], more)).snapshot.tools.map(({ alias }) => alias)).toEqual(["a", "c"]);
});

test("a turn of the model is rebuilt first, then what is refused of it stands as a text or as no arguments", () => {
  const repairer = createRepairer();
  const turn: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "text", text: "odd" },
      { type: "tool_call", id: "c", name: "a", input: '{"x":1}' },
    ],
    native: { api: "x", model: "y", json: "[]" },
  };
  const request = requestOf([user("go"), turn]);
  const at = (block: number): Culprit => ({ type: "block", message: 1, block, part: null });
  const now = (): unknown => repairer.apply(request).messages[1];
  expect(repairer.learn(request, [at(0)])).toHaveLength(1);
  expect(now()).toEqual({ role: "assistant", content: turn.content });
  repairer.learn(request, [at(0), at(1)]);
  expect(now()).toEqual({
    role: "assistant",
    content: [
      { type: "text", text: "[Left out: the model's API refused this text.]" },
      { type: "tool_call", id: "c", name: "a", input: "{}" },
    ],
  });
  expect(repairer.learn(request, [at(0), at(1)])).toEqual([]);
});

const culprit: fc.Arbitrary<Culprit> = fc.oneof(
  fc.record({ type: fc.constant("tool" as const), alias: fc.constantFrom("a", "b", "z", "__proto__") }),
  fc.record({
    type: fc.constant("block" as const),
    message: fc.nat({ max: 5 }),
    block: fc.nat({ max: 4 }),
    part: fc.option(fc.nat({ max: 3 })),
  }),
  fc.record({ type: fc.constant("native" as const), message: fc.nat({ max: 5 }) }),
);
const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;

test("whatever is refused, calls keep their results, messages their number, and it ends", () => {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "go" }, image] },
    {
      role: "assistant",
      content: [{ type: "tool_call", id: "c", name: "a", input: "{}" }],
      native: { api: "x", model: "y", json: "[]" },
    },
    {
      role: "user",
      content: [
        { type: "tool_result", callId: "c", content: [{ type: "text", text: "r" }, image], isError: false },
      ],
    },
  ];
  const callsOf = (list: readonly Message[]): string =>
    JSON.stringify(
      list.map(({ role, content }) => [
        role,
        content.map((block) =>
          block.type === "tool_call" ? block.id : "callId" in block ? block.callId : "",
        ),
      ]),
    );
  fc.assert(
    fc.property(fc.array(culprit, { maxLength: 8 }), (culprits) => {
      const repairer = createRepairer();
      const request = requestOf(messages);
      let learned = 0;
      for (let round = 0; round < 40; round += 1) learned += repairer.learn(request, culprits).length;
      expect(learned).toBeLessThanOrEqual(64);
      expect(repairer.learn(request, culprits)).toEqual([]);
      expect(callsOf(repairer.apply(request).messages)).toBe(callsOf(messages));
    }),
    { numRuns: 100 },
  );
});
