import { expect, test } from "vitest";
import { fuzzedApis, runBatch } from "./batch.ts";

/** Conversations of each API: `npm run fuzz` plays many more. */
const runs = 75;

test.each(fuzzedApis)(
  "%s refuses nothing of arbitrary conversations",
  async (api) => {
    const seed = Date.now() % 2 ** 31;
    const { failure, passed, tally } = await runBatch({ api, runs, seed });
    console.log(`${api}: seed ${seed}, ${passed} conversations, ${tally?.requests} requests`);
    expect(failure).toBeNull();
    expect(tally?.shown).toBeGreaterThan(runs / 4);
  },
  120_000,
);
