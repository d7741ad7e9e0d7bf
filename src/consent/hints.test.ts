import { expect, test } from "vitest";
import type { RunReads } from "../types/policy.ts";
import { hintWarnings, reachesOthers, readHints } from "./hints.ts";

const route = { server: "fs", tool: "send" };
const unknown = readHints({ trusted: false, annotations: {} });
const reaches = (reads: Partial<RunReads>, hints = unknown) =>
  reachesOthers({ route, reads: { untrusted: true, private: true, ...reads } }, hints);

test("a call carries nothing to others only where all that is private came from its own server", () => {
  expect(reaches({ privateFrom: ["fs"] })).toBe(false);
  expect(reaches({ privateFrom: ["fs", "fs"] })).toBe(false);
  expect(reaches({ privateFrom: ["fs", "db"] })).toBe(true);
  expect(reaches({ privateFrom: ["db"] })).toBe(true);
  expect(reaches({ privateFrom: [] })).toBe(true);
  expect(reaches({})).toBe(true);
  expect(reaches({ private: false, privateFrom: ["fs"] })).toBe(true);
});

test("what a server says of the outside comes before that, where it is believed", () => {
  const open = readHints({ trusted: false, annotations: { openWorldHint: true } });
  const closed = readHints({ trusted: true, annotations: { openWorldHint: false } });
  const claimed = readHints({ trusted: false, annotations: { openWorldHint: false } });
  expect(reaches({ privateFrom: ["fs"] }, open)).toBe(true);
  expect(reaches({ privateFrom: ["db"] }, closed)).toBe(false);
  expect(reaches({ privateFrom: ["db"] }, claimed)).toBe(true);
});

test("a person is warned of what may be destroyed and of the outside, and of the unknown only where they are asked", () => {
  const destroys = "Its server says that it may destroy or overwrite something.";
  const outside = "Its server says that it reaches outside.";
  const maybe = "It may reach outside: nothing trusted says otherwise.";
  const of = (annotations: object, asked: boolean, trusted = true) =>
    hintWarnings(readHints({ trusted, annotations }), asked);
  expect(of({ destructiveHint: true, openWorldHint: true }, false)).toEqual([destroys, outside]);
  expect(of({ destructiveHint: false, openWorldHint: false }, true)).toEqual([]);
  expect(of({}, true)).toEqual([maybe]);
  expect(of({}, false)).toEqual([]);
  expect(of({ openWorldHint: false }, true, false)).toEqual([maybe]);
});
