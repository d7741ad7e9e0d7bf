import { expect, test } from "vitest";
import { aliasOf } from "../../src/catalog/names.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import { attack, calling, entriesOf, forConversation } from "./attack.ts";

const names = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "valueOf",
  "__defineGetter__",
];

test("names of the prototype are no tools, no servers and no rules: calls of them reach nobody", async () => {
  const server = fakeServer([textTool("read", () => "x")]);
  const calls = names.flatMap((name) => [{ name }, { name: `s__${name}` }, { name: `${name}__read` }]);
  const { decisions, told } = await attack(
    [calling(...calls)],
    { s: server },
    {
      policy: { rules: ["allow */*"] },
      limits: { callsPerTurn: 100 },
    },
  );
  expect(told).toHaveLength(calls.length);
  expect(decisions).toEqual([]);
  expect(server.calls).toEqual([]);
});

test.each(names)("a tool and a server named %s are under the same consent as all others", async (name) => {
  const server = fakeServer([textTool(name, () => "x"), textTool("read", () => "y")]);
  const servers = Object.fromEntries([[name, server]]);
  const calls = [calling({ name: aliasOf(name, name) }, { name: aliasOf(name, "read") })];
  const rules = [`allow ${name}/${name}`];
  const { decisions } = await attack(calls, servers, { policy: { rules, flows: "off" } });
  expect(decisions.toSorted()).toEqual(["allow", "deny"]);
  expect(server.calls.map((call) => call.name)).toEqual([name]);
});

test("keys of the prototype in arguments are shown, recorded and sent as they are, and pollute nothing", async () => {
  const server = fakeServer([textTool("write", () => "x")]);
  const input = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":1}';
  const { shown, audit } = await attack(
    [calling({ name: "s__write", input })],
    { s: server },
    {
      person: forConversation,
    },
  );
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(shown[0]).toContain('"__proto__"');
  expect(JSON.stringify(server.calls[0]?.arguments)).toBe(input);
  expect(JSON.stringify(entriesOf(audit, "call_intended")[0]?.arguments)).toBe(input);
});

test.each([
  "allow s/write toString=*",
  "allow s/write constructor.name=Object",
  "allow s/write __proto__.allowed=*",
  "allow s/write path.length=*",
  "allow s/write under(constructor.name)=/",
  "allow s/write regex(toString)=.*",
])("the rule %s is met by no argument that is not there", async (rule) => {
  const server = fakeServer([textTool("write", () => "x")]);
  const { decisions } = await attack(
    [calling({ name: "s__write", input: { path: "/a" } })],
    { s: server },
    {
      policy: { rules: [rule] },
    },
  );
  expect(decisions).toEqual(["deny"]);
  expect(server.calls).toEqual([]);
});

test("a condition on a key of the prototype is met by a call that has that key", async () => {
  const server = fakeServer([textTool("write", () => "x")]);
  await attack(
    [calling({ name: "s__write", input: '{"__proto__":{"allowed":"yes"}}' })],
    { s: server },
    {
      policy: { rules: ["allow s/write __proto__.allowed=yes"] },
    },
  );
  expect(server.calls).toHaveLength(1);
});

test("annotations that a definition inherits or spells as keys of the prototype are none", async () => {
  const annotations = JSON.parse('{"__proto__":{"readOnlyHint":true}}');
  const server = fakeServer([textTool("read", () => "x", { annotations })]);
  const { questions } = await attack(
    [calling({ name: "s__read" })],
    { s: server },
    { policy: { trust: ["s"] } },
  );
  expect(questions).toHaveLength(1);
  expect(server.calls).toEqual([]);
});
