import fc from "fast-check";
import { expect, test } from "vitest";
import { readTraceparent } from "./traceparent.ts";

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

test("the span that it names is read, with its state", () => {
  const read = readTraceparent({ traceparent: `00-${trace}-${span}-01`, tracestate: "v=1" });
  expect(read).toMatchObject({ traceId: trace, spanId: span, traceFlags: 1 });
  expect(read?.traceState?.serialize()).toBe("v=1");
});

test("a later version is read as this one, by its first members", () => {
  const read = readTraceparent({ traceparent: `01-${trace}-${span}-00-more` });
  expect(read).toEqual({ traceId: trace, spanId: span, traceFlags: 0 });
});

test.each([
  `ff-${trace}-${span}-01`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  "",
])("%s names none", (traceparent) => {
  expect(readTraceparent({ traceparent })).toBeNull();
});

test("whatever stands there, only hex of the right length comes out", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (traceparent, tracestate) => {
      const read = readTraceparent({ traceparent, tracestate });
      if (read !== null) expect(`${read.traceId}${read.spanId}`).toMatch(/^[\da-f]{48}$/);
    }),
    { numRuns: 200 },
  );
});
