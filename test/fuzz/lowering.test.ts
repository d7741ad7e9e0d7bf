import fc from "fast-check";
import { expect, test } from "vitest";
import { loweringProperty } from "./lowering.ts";
import { lowerings } from "./lowerings.ts";

/** Schemas for each API: `npm run fuzz` tries many more. */
const runs = 40;

test.each(Object.entries(lowerings))(
  "%s: what follows a tool's schema follows the lowered one and maps back to itself",
  async (name, lowering) => {
    const seed = Date.now() % 2 ** 31;
    console.log(`${name}: seed ${seed}`);
    let followed = 0;
    const property = loweringProperty(lowering, () => {
      followed += 1;
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(followed).toBeGreaterThan(runs / 3);
  },
);
