import { expect, test } from "vitest";
import { rules, validateMessagesRequest } from "../../../src/testing/anthropic/validate.ts";
import { blockCases } from "./block-cases.ts";
import { conversationCases } from "./conversation-cases.ts";
import { featureCases } from "./feature-cases.ts";
import { imageCases } from "./image-cases.ts";
import { assistant, request, text, user } from "./requests.ts";
import { thinkingCases } from "./thinking-cases.ts";
import { toolCases } from "./tool-cases.ts";
import { testedElsewhere, unmodelled } from "./unmodelled.ts";

const cases = [
  ...toolCases,
  ...blockCases,
  ...featureCases,
  ...conversationCases,
  ...thinkingCases,
  ...imageCases,
];

test.each(cases.map((one) => [one.rule, one.name, one] as const))(
  "rule %s, %s: the smallest request is refused with its words, and its neighbour is not",
  (_, _name, { refused, message, accepted, settings }) => {
    const refusal = typeof message === "string" ? { message } : message;
    expect(validateMessagesRequest(refused, settings)).toEqual({ status: 400, ...refusal });
    expect(validateMessagesRequest(accepted, settings)).toBeNull();
  },
);

test.each(cases.map((one) => [one.rule, one.name, one] as const))(
  "rule %s, %s: without it the request is not refused with these words",
  (_, _name, { refused, message, check, settings }) => {
    const words = typeof message === "string" ? message : message.message;
    expect(validateMessagesRequest(refused, { ...settings, without: check })?.message).not.toBe(words);
  },
);

test("every rule of the list has a request that it refuses", () => {
  expect(rules.filter((rule) => !cases.some(({ check }) => check === rule)).map(({ name }) => name)).toEqual(
    [],
  );
});

test("each of the 42 rules of the API is here, tested elsewhere, or not modelled for a reason", () => {
  const here = new Set(cases.map(({ rule }) => rule));
  const numbers = Array.from({ length: 42 }, (_, index) => index + 1);
  const places = numbers.map((rule) => [here.has(rule), rule in testedElsewhere].filter(Boolean).length);
  expect(numbers.filter((_, index) => places[index] === 0)).toEqual([]);
  for (const { rule, reason } of unmodelled) {
    expect(numbers).toContain(rule);
    expect(reason.length).toBeGreaterThan(20);
  }
});

test("a block of the assistant of a type nobody knows is taken: the API minted it", () => {
  const body = request([user(text("a")), assistant({ type: "future_block", x: 1 }), user(text("b"))]);
  expect(validateMessagesRequest(body)).toBeNull();
});

test("what is no object is refused, whatever it is", () => {
  for (const body of [null, [], "x", 3]) expect(validateMessagesRequest(body)?.status).toBe(400);
});

test("members of a wrong type are refused and nothing throws", () => {
  const wrong = [null, 3, "x", [], {}, [null], [3], [[]]];
  for (const value of wrong) {
    expect(validateMessagesRequest(request(value))?.status).toBe(400);
    expect(validateMessagesRequest(request([{ role: "user", content: value }]))?.status).toBe(
      value === "x" ? undefined : 400,
    );
    for (const field of ["tools", "system", "thinking", "tool_choice", "cache_control", "output_config"]) {
      expect(() => validateMessagesRequest(request(undefined, { [field]: value }))).not.toThrow();
    }
  }
});
