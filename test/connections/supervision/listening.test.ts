import { expect, test } from "vitest";
import { keepListening } from "../../../src/connections/listening.ts";
import { createTestClock } from "../../../src/testing/clock.ts";

const filter = { toolsListChanged: true } as const;

test("a subscription that ends at once each time is asked for less and less often, until one lasts", async () => {
  const clock = createTestClock();
  const at: number[] = [];
  let lastsMs = 0;
  const listen = async () => {
    at.push(clock.now());
    const closed = new Promise((resolve) => clock.after(lastsMs, () => resolve("remote")));
    return { closed };
  };
  // The one method of the SDK's client that counts here.
  const stop = keepListening({ listen } as never, filter, clock, () => {});
  await clock.advance(120_000);
  const often = at.length;
  expect(often).toBeGreaterThan(5);
  expect(often).toBeLessThan(15);
  lastsMs = 40_000;
  await clock.advance(200_000);
  const [last = 0, before = 0] = at.slice(-2).reverse();
  expect(last - before).toBeLessThan(41_000);
  stop();
  await clock.advance(60_000);
  expect(clock.pending()).toBe(0);
});

test("a server without subscriptions is not asked again", async () => {
  const clock = createTestClock();
  let asked = 0;
  const listen = async () => {
    asked += 1;
    throw Object.assign(new Error("Method not found"), { code: -32601 });
  };
  keepListening({ listen } as never, filter, clock, () => {});
  await clock.advance(600_000);
  expect(asked).toBe(1);
});
