import { expect } from "vitest";
import { runBatch } from "../batch.ts";

/** Conversations of one API: `npm run fuzz` plays many more. */
const runs = 300;

/** How long they may take, in milliseconds, on a busy machine. */
export const playLimitMs = 240_000;

/** Plays arbitrary conversations against this API's simulator, and fails on the first that is refused. */
export async function playConversations(api: string): Promise<void> {
  const seed = Date.now() % 2 ** 31;
  const { failure, passed, tally } = await runBatch({ api, runs, seed });
  console.log(`${api}: seed ${seed}, ${passed} conversations, ${tally?.requests} requests`);
  expect(failure).toBeNull();
  expect(tally?.shown).toBeGreaterThan(runs / 4);
}
