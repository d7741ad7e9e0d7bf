import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { attack, calling, once } from "./attack.ts";

const hinted = (annotations: JsonObject) => fakeServer([textTool("act", () => "done", { annotations })]);
const call = [calling({ name: "s__act" })];
const harmless = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

test.each([
  ["readOnlyHint", { readOnlyHint: true }],
  ["not destructiveHint", { destructiveHint: false }],
  ["idempotentHint", { idempotentHint: true }],
  ["not openWorldHint", { openWorldHint: false }],
  ["all of them", harmless],
])("%s of a server that nobody trusts lets no call run unasked", async (_, annotations) => {
  const server = hinted(annotations);
  const { questions } = await attack(call, { s: server });
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
});

test("conditions on hints that would loosen are met by a trusted server's hints only", async () => {
  const rules = ["allow s/* @readOnly=true", "allow s/* @destructive=false", "allow s/* @idempotent=true"];
  const server = hinted(harmless);
  await attack(call, { s: server }, { policy: { rules } });
  expect(server.calls).toEqual([]);
  await attack(call, { s: hinted(harmless) }, { policy: { rules, trust: ["s"] }, person: null }).then(
    ({ decisions }) => expect(decisions).toEqual(["allow"]),
  );
});

test("hints of a server that nobody trusts still make things stricter", async () => {
  const server = hinted({ destructiveHint: true });
  const { questions } = await attack(call, { s: server }, { policy: { rules: ["allow s/*"] } });
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
});

test("a tool that says that it reads only and is destructive counts as destructive, trusted or not", async () => {
  const server = hinted({ readOnlyHint: true, destructiveHint: true });
  const { questions } = await attack(call, { s: server }, { policy: { trust: ["s"], rules: ["allow s/*"] } });
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
});

test("hints that are no booleans are no hints", async () => {
  const server = hinted({ readOnlyHint: "true", destructiveHint: 0, openWorldHint: null });
  const { questions } = await attack(call, { s: server }, { policy: { trust: ["s"] } });
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
});

test("a destructive tool cannot be allowed for longer than once, whatever scope is answered", async () => {
  const server = hinted({ destructiveHint: true });
  const { questions } = await attack(
    [...call, calling({ name: "s__act", input: { n: 1 } })],
    { s: server },
    {
      person: () => ({ type: "allow", scope: "always" }),
    },
  );
  expect(questions.map(({ scopes }) => scopes)).toEqual([["once"], ["once"]]);
});

test("trust in one server is no trust in another that says the same", async () => {
  const [a, b] = [hinted({ readOnlyHint: true }), hinted({ readOnlyHint: true })];
  const { questions } = await attack(
    [calling({ name: "a__act" }, { name: "b__act" })],
    { a, b },
    { policy: { trust: ["a"] }, person: once },
  );
  expect(questions.map(({ calls }) => calls[0].tool.route.server)).toEqual(["b"]);
});
