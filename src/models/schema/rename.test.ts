import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../types/json.ts";
import { plainKeys } from "./dialect.ts";
import { renameKeys, restoreKeys } from "./rename.ts";

test("keys that the API takes keep their names, and the others get distinct ones", () => {
  const { send, originals } = renameKeys(
    {
      properties: { ok: {}, "a b": { properties: { "a<b": {}, 日付: {} } }, a_b_c8687a08aa: {} },
    },
    plainKeys,
  );
  expect(send("ok")).toBe("ok");
  const sent = ["a b", "a<b", "日付"].map(send);
  expect(new Set(sent).size).toBe(3);
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  expect(sent.map((name) => originals.get(name))).toEqual(["a b", "a<b", "日付"]);
});

test("a name that is taken already is not given again", () => {
  const first = renameKeys({ properties: { "a b": {} } }, plainKeys).send("a b");
  const second = renameKeys({ properties: { "a b": {}, [first]: {} } }, plainKeys);
  expect(second.send("a b")).not.toBe(first);
  expect(second.send(first)).toBe(first);
});

test("a schema that holds every name that could be given does not keep the search from ending", () => {
  const taken: Record<string, JsonObject> = { "a b": {} };
  for (let count = 0; count < 80; count += 1) {
    const name = renameKeys({ properties: taken }, plainKeys).send("a b");
    expect(Object.keys(taken)).not.toContain(name);
    expect(name).toMatch(plainKeys.accepted);
    taken[name] = {};
  }
});

test("only keys are restored, and everything else stays as it was written", () => {
  const originals = new Map([["a_1", "a<"]]);
  const text = '{ "a_1" : 1e400, "a_1": ["a_1", {"a_1":"\\"a_1\\":"}], "\\u0061_1": 0, "b": "a_1" }';
  expect(restoreKeys(text, originals)).toBe(
    '{ "a<" : 1e400, "a<": ["a_1", {"a<":"\\"a_1\\":"}], "a<": 0, "b": "a_1" }',
  );
  expect(restoreKeys('{"a_1": ', originals)).toBe('{"a_1": ');
});

test("for any arguments, restoring is the inverse of sending", () => {
  const key = fc.constantFrom("a", "a<", "b b", '"', "\\", "é");
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("a<", '"a<":', "\\", 1, null),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(key, tie("node"), { maxKeys: 3 }),
    ),
  })).node;
  const { send, originals } = renameKeys(
    { properties: { "a<": {}, "b b": {}, '"': {}, "\\": {}, é: {} } },
    plainKeys,
  );
  fc.assert(
    fc.property(value, (original) => {
      const sent = JSON.stringify(original, (_, member: unknown) =>
        typeof member === "object" && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).map(([name, item]) => [send(name), item]))
          : member,
      );
      expect(JSON.parse(restoreKeys(sent, originals))).toEqual(original);
    }),
  );
});
