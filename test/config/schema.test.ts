import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "../../src/config/limits.ts";
import { checkSettings } from "../../src/config/settings/check.ts";
import type { Report } from "../../src/config/settings/document.ts";
import type { KeySchema } from "../../src/config/settings/key-schema.ts";
import { parseSettings } from "../../src/config/settings/parse.ts";
import { settingsSchema } from "../../src/config/settings/schema.ts";

const file = join(import.meta.dirname, "../../schema/drawbridge.schema.json");
const valid = new Ajv({ strict: true }).compile(settingsSchema);

async function problemsOf(value: unknown): Promise<readonly string[]> {
  const report: Report = { problems: [], warnings: [] };
  const place = { path: "f", scope: "user", shown: "f" } as const;
  const document = await parseSettings(JSON.stringify(value), place, report);
  if (document !== null) checkSettings(document, settingsSchema, report);
  return report.problems;
}

test("the published schema is the one that files are checked with", async () => {
  await expect(`${JSON.stringify(settingsSchema, null, 2)}\n`).toMatchFileSnapshot(file);
});

test("every key is described, for editors that show it", () => {
  const check = (schema: KeySchema): void => {
    expect(schema.description).not.toBe("");
    const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
    for (const key of below) if (typeof key === "object") check(key);
  };
  check(settingsSchema);
});

test("every limit can be set, and its default fits", async () => {
  expect(Object.keys(settingsSchema.properties?.limits?.properties ?? {}).sort()).toEqual(
    Object.keys(defaultLimits).sort(),
  );
  expect(await problemsOf({ limits: defaultLimits })).toEqual([]);
});

/** Values that mostly fit, and sometimes do not. */
function valueFor(schema: KeySchema): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(null, true, "", "x", -1, 0, 1.5, 3_000_000_000, [], {}, [1]);
  return fc.oneof({ weight: 60, arbitrary: fitting(schema) }, { weight: 1, arbitrary: odd });
}

function fitting({
  type,
  enum: names,
  minimum = 0,
  properties,
  additionalProperties,
  items,
  required = [],
}: KeySchema): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return names === undefined ? fc.string({ minLength: 1, maxLength: 4 }) : fc.constantFrom(...names);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(items === undefined ? fc.anything() : valueFor(items), { maxLength: 2 });
    case "object": {
      const known = Object.entries(properties ?? {}).map(([key, schema]) => [key, valueFor(schema)] as const);
      const record = fc.record(Object.fromEntries(known), { requiredKeys: [...required] });
      if (typeof additionalProperties !== "object") return record;
      return fc.dictionary(fc.constantFrom("a", "b c", "constructor"), valueFor(additionalProperties), {
        maxKeys: 2,
      });
    }
    default:
      return fc.integer({ min: minimum, max: minimum + 100 });
  }
}

test("what fits the published schema is accepted, and nothing else", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fitting(settingsSchema), async (value) => {
      const fits = valid(value);
      if (fits) accepted += 1;
      expect((await problemsOf(value)).length === 0).toBe(fits);
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(20);
});
