import { describe, expect, test } from "vitest";
import { rules, validateGeminiRequest } from "../../../src/testing/gemini/validate.ts";
import { asking, call, request, text, user } from "./bodies.ts";
import { contentCases, fieldCases, mediaCases } from "./request-cases.ts";
import { parameterCases, schemaCases, toolCases } from "./tool-cases.ts";
import { signatureCases, turnCases } from "./turn-cases.ts";
import { unmodelled } from "./unmodelled.ts";

const cases = [
  ...fieldCases,
  ...contentCases,
  ...turnCases,
  ...signatureCases,
  ...mediaCases,
  ...toolCases,
  ...parameterCases,
  ...schemaCases,
].map((one) => ({ ...one, settings: one.model === undefined ? {} : { model: one.model } }));

describe.each(cases)("$name: $message", ({ rule, refused, message, accepted, settings }) => {
  test("the smallest request that breaks the rule is refused with its words", () => {
    const refusal = validateGeminiRequest(refused, settings);
    expect(refusal?.message).toBe(message);
    expect(refusal?.status ?? 400).toBe(400);
  });

  test("its nearest neighbour is taken", () => {
    expect(validateGeminiRequest(accepted, settings)).toBeNull();
  });

  test("without the rule it is not refused with these words", () => {
    expect(validateGeminiRequest(refused, { ...settings, without: rule })?.message).not.toBe(message);
  });
});

test("every rule has its case, and what no source states is said", () => {
  const tested = new Set(cases.map(({ rule }) => rule));
  expect(rules.filter((rule) => !tested.has(rule))).toEqual([]);
  expect(cases.filter(({ literal }) => literal === false).length).toBeLessThan(cases.length / 2);
  for (const { reason } of unmodelled) expect(reason.length).toBeGreaterThan(20);
});

test("all names that are unknown are told at once, with their places", () => {
  const refusal = validateGeminiRequest(asking({ a: 1, b: 2 }));
  expect(refusal?.message.split("\n")).toHaveLength(2);
  expect(refusal?.violations?.map(({ field }) => field)).toEqual(["", ""]);
});

test("fields that are null are absent, and both forms of names are read", () => {
  const accepted = {
    contents: [{ role: "user", parts: [{ text: "a", inline_data: null }] }],
    system_instruction: { parts: [{ text: "b" }] },
    tools: null,
  };
  expect(validateGeminiRequest(accepted)).toBeNull();
  const refused = { ...accepted, generation_config: { max_output_tokens: 0 } };
  expect(validateGeminiRequest(refused)?.message).toContain("must be positive");
});

test("members of a wrong type are refused and nothing throws", () => {
  const wrong = [3, "x", [], {}, [null], [3], [[]]];
  for (const body of [null, [], "x", 3]) expect(validateGeminiRequest(body)).not.toBeNull();
  for (const value of wrong) {
    expect(validateGeminiRequest({ contents: value })).not.toBeNull();
    expect(validateGeminiRequest(request([{ role: "user", parts: value }]))).not.toBeNull();
    for (const field of ["tools", "systemInstruction", "toolConfig", "generationConfig"]) {
      expect(() => validateGeminiRequest(asking({ [field]: value }))).not.toThrow();
    }
    const body = request([user(text("a")), { role: "model", parts: [call({ args: value })] }]);
    expect(() => validateGeminiRequest(body)).not.toThrow();
  }
});
