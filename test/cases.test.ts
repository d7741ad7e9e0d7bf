import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allCases, isBuilt, runners, waiting } from "./support/cases.ts";

const byId = new Map(allCases.map((one) => [one.id, one]));
const whole = waiting.filter(({ part }) => part === undefined);

test("every case is run by a file of tests or waits for a stage", () => {
  const waits = new Set(whole.map(({ id }) => id));
  const lost = allCases.filter(({ id, type }) => {
    const file = Object.hasOwn(runners, type) ? runners[type] : undefined;
    return !waits.has(id) && (file === undefined || !existsSync(join(import.meta.dirname, file)));
  });
  expect(lost.map(({ id, type }) => `${id} (${type})`)).toEqual([]);
  console.log(
    `${allCases.length} cases: ${allCases.length - whole.length} are run, ${whole.length} wait whole, ` +
      `${waiting.length - whole.length} parts of others wait.`,
  );
});

test("nothing waits that is not there, or that could be asserted twice", () => {
  const names = waiting.map(({ id, part }) => `${id} ${part ?? ""}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { id, part, reason } of waiting) {
    expect(reason).not.toBe("");
    const one = byId.get(id);
    expect(one, `${id} is no case`).toBeDefined();
    if (part !== undefined) expect(one?.assert, id).toHaveProperty(part);
    if (part !== undefined) expect(whole.some((other) => other.id === id)).toBe(false);
  }
});

test("nothing waits for what is built already", () => {
  expect(waiting.filter(isBuilt).map(({ id, needs }) => `${id}: ${needs} is there`)).toEqual([]);
});

test("every case says what went wrong elsewhere and what must hold", () => {
  for (const { id, expected, symptom, type, ...rest } of allCases) {
    expect([id, typeof expected, typeof symptom, typeof type]).toEqual([id, "string", "string", "string"]);
    expect(Object.keys(rest.assert).length + (Array.isArray(rest.cases) ? 1 : 0), id).toBeGreaterThan(0);
  }
});
