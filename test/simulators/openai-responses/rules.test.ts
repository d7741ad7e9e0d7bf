import { describe, expect, test } from "vitest";
import { rules, validateResponsesRequest } from "../../../src/testing/openai-responses/validate.ts";
import { answered, body, call, output, talk } from "./bodies.ts";
import { contentCases, imageCases } from "./content-cases.ts";
import { fieldCases, stateCases } from "./field-cases.ts";
import { callCases, idCases, itemCases, reasoningCases } from "./item-cases.ts";
import { schemaCases, toolCases } from "./tool-cases.ts";
import { unmodelled } from "./unmodelled.ts";

const cases = [
  ...fieldCases,
  ...stateCases,
  ...itemCases,
  ...contentCases,
  ...imageCases,
  ...callCases,
  ...idCases,
  ...reasoningCases,
  ...toolCases,
  ...schemaCases,
];

describe.each(cases)("$message", ({ rule, refused, message, param, code, status, accepted, settings }) => {
  test("the smallest request that breaks the rule is refused with its words", () => {
    const refusal = validateResponsesRequest(refused, settings);
    expect(refusal).toMatchObject({
      message,
      ...(param === undefined ? {} : { param }),
      ...(code === undefined ? {} : { code }),
    });
    expect(refusal?.status ?? 400).toBe(status ?? 400);
  });

  test("its nearest neighbour is taken", () => {
    expect(validateResponsesRequest(accepted, settings)).toBeNull();
  });

  test("without the rule nothing refuses it with these words", () => {
    const refusal = validateResponsesRequest(refused, { ...settings, without: rule });
    expect(refusal?.message).not.toBe(message);
  });
});

test("every rule of the list has a request that it refuses", () => {
  const tested = new Set(cases.map(({ rule }) => rule));
  expect(rules.filter((rule) => !tested.has(rule))).toEqual([]);
});

test("what is not modelled has its reason", () => {
  for (const { reason } of unmodelled) expect(reason.length).toBeGreaterThan(20);
});

test("items of an answer are taken back as they came", () => {
  const message = {
    ...answered({ type: "output_text", text: "ok", annotations: [], logprobs: [] }),
    id: "msg_1",
    status: "completed",
    phase: "commentary",
  };
  expect(
    validateResponsesRequest(talk(message, call({ id: "fc_1", status: "completed" }), output())),
  ).toBeNull();
});

test("members of a wrong type are refused and nothing throws", () => {
  for (const value of [null, 3, "x", [], {}, [null], [3], [[]]]) {
    expect(() => validateResponsesRequest(value)).not.toThrow();
    for (const field of ["input", "tools", "include", "reasoning", "instructions", "model"]) {
      expect(() => validateResponsesRequest(body({ [field]: value }))).not.toThrow();
    }
    for (const member of ["type", "content", "output", "id", "call_id", "summary", "role"]) {
      expect(() => validateResponsesRequest(talk(output({ [member]: value })))).not.toThrow();
    }
  }
});
