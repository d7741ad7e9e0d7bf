import { expect, test } from "vitest";
import type { Message } from "../types/message.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { createTokenEstimator } from "./token-estimate.ts";

const snapshot: ToolSnapshot = { version: 1, tools: [], byAlias: new Map(), quarantined: [] };
const said = (characters: number): Message => ({
  role: "user",
  content: [{ type: "text", text: "a".repeat(characters) }],
});
const asked = (...messages: Message[]) => ({ system: "", snapshot, messages });

test("without a count an estimate is about a quarter of the bytes, and says how far it may be off", () => {
  const { least, likely, most } = createTokenEstimator().bounds(asked(said(40_000)));
  expect(likely).toBeGreaterThan(9_900);
  expect(likely).toBeLessThan(10_200);
  expect(least).toBeLessThan(likely / 2);
  expect(most).toBeGreaterThan(likely * 2);
});

test("a count of the API is believed, and only what came behind it is estimated, as the API counts", () => {
  const estimator = createTokenEstimator();
  const first = said(40_000);
  estimator.learn(asked(first), 20_000);
  expect(estimator.bounds(asked(first))).toEqual({ least: 20_000, likely: 20_000, most: 20_000 });
  const { least, likely, most } = estimator.bounds(asked(first, said(4_000)));
  expect(likely).toBeGreaterThan(21_900);
  expect(likely).toBeLessThan(22_200);
  expect(least).toBeGreaterThan(20_000);
  expect(most).toBeLessThan(24_000);
});

test("once messages were changed the whole is estimated, with the ratio that was learned", () => {
  const estimator = createTokenEstimator();
  estimator.learn(asked(said(40_000)), 20_000);
  estimator.forget();
  const { least, likely, most } = estimator.bounds(asked(said(8_000)));
  expect(likely).toBeGreaterThan(3_900);
  expect(likely).toBeLessThan(4_200);
  expect(least).toBeLessThan(likely);
  expect(most).toBeGreaterThan(likely);
});

test("pictures cost what pictures cost, whatever the length of their bytes", () => {
  const picture: Message = {
    role: "user",
    content: [{ type: "image", mediaType: "image/png", data: "a".repeat(400_000) }],
  };
  expect(createTokenEstimator().bounds(asked(picture)).likely).toBeLessThan(3_000);
});
