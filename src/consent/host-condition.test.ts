import { expect, test } from "vitest";
import { hostGlob, isHost } from "./host-condition.ts";
import { splitWords } from "./words.ts";

const globOf = (written: string) => hostGlob(splitWords(written)?.[0] ?? []);

/** What an allow and a denial get to know of a URL. */
const both = (written: string, url: string) =>
  [true, false].map((allowing) => isHost(globOf(written), url, allowing));

test.each([
  "a/b",
  "a\\b",
  "a@b",
  "a?b",
  "a#b",
  "a%41",
  '"a b"',
  '""',
  "a:80",
  "[::1]:80",
  "*[::1]",
  "x[::1]",
  "a<b",
  "a..:b",
])("`%s` is no host", (written) => {
  expect(() => globOf(written)).toThrow("host takes the name of a host");
});

test("a host with a wildcard is matched in lower case, and written in Punycode", () => {
  expect(both("*.A.test", "https://x.a.test/")).toEqual([true, true]);
  expect(both('*."a.test"', "https://x.a.test/")).toEqual([true, true]);
  expect(both("*.a.test", "https://a.test/")).toEqual([false, false]);
  expect(() => globOf("*.bücher.test")).toThrow("Punycode");
  expect(both("bücher.test", "https://xn--bcher-kva.test/")).toEqual([true, true]);
  expect(both("*~", "https://a.test/")).toEqual([false, false]);
});

test("an IPv6 address that stands for an IPv4 one is that too", () => {
  for (const [url, address] of [
    ["http://[::ffff:127.0.0.1]/", "127.0.0.1"],
    ["http://[::ffff:10.1.2.3]/", "10.1.2.3"],
    ["http://[::ffff:172.16.254.1]:8080", "172.16.254.1"],
  ] as const) {
    expect(both(address, url)).toEqual([true, true]);
    expect(both("10.9.9.9", url)).toEqual([false, false]);
  }
  expect(both("[::1]", "http://[::1]/")).toEqual([true, true]);
  expect(both("a.test", "http://a.test./")).toEqual([true, true]);
});

test("of what a server may read as another URL an allow knows nothing, and a denial no more than a fit", () => {
  expect(both("a.test", "http://a.test\\@b.test/")).toEqual([null, true]);
  expect(both("z.test", "http://a.test\\@b.test/")).toEqual([null, null]);
  expect(both("a.test", "http://me@a.test/")).toEqual([null, true]);
  expect(both("*", "mailto:me@a.test")[0]).toBeNull();
  expect(both("*", "file:///etc/passwd")[0]).toBeNull();
  expect(both("a.test", "no url")).toEqual([null, null]);
  expect(both("a.test", "http://a.test/a b")).toEqual([null, true]);
});

test("a URL of up to 65,536 characters is read", () => {
  const url = (length: number) => `http://a.test/${"x".repeat(length - "http://a.test/".length)}`;
  expect(both("a.test", url(65_536))).toEqual([true, true]);
  expect(both("a.test", url(65_537))).toEqual([null, null]);
});
