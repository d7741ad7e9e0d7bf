import { describe, expect, test } from "vitest";
import { chatRules, validateChatRequest } from "../../../src/testing/openai-chat/validate.ts";
import { callCases, fieldCases, messageCases } from "./request-cases.ts";
import { schemaCases, serverCases, toolCases } from "./tool-cases.ts";

const cases = [
  ...fieldCases,
  ...messageCases,
  ...callCases,
  ...toolCases,
  ...schemaCases,
  ...serverCases,
].map((one) => ({ ...one, kind: one.kind ?? ("openai" as const), status: one.status ?? 400 }));

describe.each(cases)("$kind: $message", ({ rule, kind, refused, message, status, code, accepted }) => {
  test("the smallest request that breaks the rule is refused with its words", () => {
    const refusal = validateChatRequest(refused, { kind });
    expect(refusal).toMatchObject({ message, ...(code === undefined ? {} : { code }) });
    expect(refusal?.status ?? 400).toBe(status);
  });

  test("its nearest neighbour is taken", () => {
    expect(validateChatRequest(accepted, { kind })).toBeNull();
  });

  test("without the rule nothing refuses it", () => {
    expect(validateChatRequest(refused, { kind, without: rule })?.message).not.toBe(message);
  });
});

test("every rule has its case", () => {
  const tested = new Set(cases.map(({ rule }) => rule));
  expect(chatRules.filter((rule) => !tested.has(rule))).toEqual([]);
});
