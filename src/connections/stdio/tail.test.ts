import fc from "fast-check";
import { expect, test } from "vitest";
import { createTail } from "./tail.ts";

test("the end of the stream is kept, in pieces of any size", () => {
  const chunk = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n"), maxLength: 3000 });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), fc.integer({ min: 1, max: 5000 }), (chunks, limit) => {
      const tail = createTail(limit, (text) => text);
      for (const text of chunks) tail.push(Buffer.from(text));
      expect(tail.text()).toBe(chunks.join("").slice(-limit));
    }),
    { numRuns: 300 },
  );
});

test("one chunk that is larger than all that is kept leaves its end", () => {
  const tail = createTail(10, (text) => text);
  tail.push(Buffer.from("before"));
  tail.push(Buffer.from(`${"x".repeat(100_000)}0123456789`));
  tail.push(Buffer.from("ab"));
  expect(tail.text()).toBe("23456789ab");
});

test("no part of a secret is shown, wherever the kept part begins", () => {
  const secret = Array.from({ length: 300 }, (_, index) => `${index}x`).join("");
  for (let shift = 0; shift < secret.length; shift += 50) {
    const tail = createTail(100, (text) => text.replaceAll(secret, "(secret)"));
    tail.push(Buffer.from(secret.repeat(10) + ".".repeat(shift)));
    expect(tail.text()).toMatch(/^[(secret)]*\.*$/);
  }
});
