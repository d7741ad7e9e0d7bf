import { expect, test } from "vitest";
import { isWithin, plainPath } from "./plain-path.ts";
import { isUnder, readFolder } from "./under.ts";

test.each<[string, string | null]>([
  ["src", "./src/"],
  ["./src", "./src/"],
  ["src/", "./src/"],
  ["src//a/./b", "./src/a/b/"],
  [".", "./"],
  ["./", "./"],
  ["/", "/"],
  ["//", null],
  ["/src", "/src/"],
  ["/a:b", "/a:b/"],
  ["a:b", null],
  ["a/b:c", null],
  ["C:\\x", "C:/x/"],
  ["C:/x\\y", "C:/x/y/"],
  ["c:/", "c:/"],
  ["C:/x:y", null],
  ["C:", null],
  ["C:x", null],
  ["xC:/y", null],
  ["a\\b", null],
  ["/a\\b", null],
  ["~", null],
  ["~/x", null],
  ["x/~", "./x/~/"],
  ["..", null],
  ["a/../b", null],
  ["/a/..", null],
  ["a..b/..c", "./a..b/..c/"],
  ["a/...", null],
  ["a/%2e%2e/b", null],
  ["", null],
  [" a", null],
  ["a ", null],
  ["a b", "./a b/"],
  ["a\u0000b", null],
  ["a\u007fb", null],
  ["$HOME/x", null],
  ["a*", null],
  ["a?", null],
  ["{a,b}", null],
  ["a|b", null],
  ["a;b", null],
  ["\ud800", null],
])("%j is plainly %j", (text, path) => {
  expect(plainPath(text)).toBe(path);
});

test("a path of 4,096 characters can be told, and a longer one not", () => {
  expect(plainPath("x".repeat(4096))).toBe(`./${"x".repeat(4096)}/`);
  expect(plainPath("x".repeat(4097))).toBeNull();
});

test("a path is within a folder by whole steps, and what cannot be told is in none", () => {
  expect(isWithin("/a/b/", "/a/")).toBe(true);
  expect(isWithin("/a/", "/a/")).toBe(true);
  expect(isWithin("/ab/", "/a/")).toBe(false);
  expect(isWithin(null, "/a/")).toBe(false);
  expect(isWithin("/a/", null)).toBe(false);
});

test.each<[string, { absolute: boolean; segments: string[] } | null]>([
  ["/srv/app", { absolute: true, segments: ["srv", "app"] }],
  ["/srv//./app/", { absolute: true, segments: ["srv", "app"] }],
  ["srv", { absolute: false, segments: ["srv"] }],
  [".", { absolute: false, segments: [] }],
  ["\\srv", { absolute: true, segments: ["srv"] }],
  ["C:\\Work", { absolute: true, segments: ["c:", "Work"] }],
  ["C:/", { absolute: true, segments: ["c:"] }],
  ["C:", null],
  ["C:x", null],
  ["file:///x", null],
  ["a+b-c.d1:x", null],
  ["x:y/z", null],
  ["", null],
  ["~", null],
  ["~/x", null],
  ["$HOME", null],
  ["%TEMP%", null],
  [" /x", null],
  ["/x\u0000", null],
  ["/x\u001f", null],
  ["/a/..", null],
  ["a/~", { absolute: false, segments: ["a", "~"] }],
])("the folder %j of a rule is %j", (text, folder) => {
  expect(readFolder(text)).toEqual(folder);
});

/** What an allow and a denial get to know. */
function both(folder: string, text: string, base: string | null = null): (boolean | null)[] {
  const read = readFolder(folder);
  if (read === null) throw new Error(folder);
  return [true, false].map((allowing) => isUnder(read, text, base, allowing));
}

test("an absolute folder needs no base, and a relative one or path has none without it", () => {
  expect(both("/srv", "/srv/x")).toEqual([true, true]);
  expect(both("/srv", "x")).toEqual([null, null]);
  expect(both("srv", "/srv/x")).toEqual([null, null]);
  expect(both("srv", "srv/x", "/home")).toEqual([true, true]);
  expect(both("srv", "/home/srv/x", "/home")).toEqual([true, true]);
  expect(both("/home/srv", "srv/x", "/home")).toEqual([true, true]);
  expect(both("/home/srv", "other", "/home")).toEqual([false, false]);
  expect(both("srv", "srv/x", "home")).toEqual([null, null]);
  expect(both("/home", "x", "home")).toEqual([null, null]);
  expect(both("/home", "x", "~/home")).toEqual([null, null]);
});

test("what is no path by itself cannot be told", () => {
  for (const text of ["https://a.test/srv", "C:srv", "~/srv", "$SRV", "%SRV%", " /srv", "/srv\u0000"]) {
    expect(both("/srv", text)).toEqual([null, null]);
  }
});

test("a step up is worked out for a denial, never for an allow, and in disguise it cannot be told", () => {
  expect(both("/srv", "/x/../srv/y")).toEqual([null, true]);
  expect(both("/srv", "/srv/../x")).toEqual([null, false]);
  expect(both("/srv", "/../srv")).toEqual([null, true]);
  expect(both("/srv", "/srv/a/. ./x")).toEqual([null, true]);
  expect(both("/srv", "/x/%2e%2e/srv")).toEqual([null, true]);
  expect(both("/srv", "/x/%252e%252e/y")).toEqual([null, null]);
  expect(both("/srv", "../srv", "/home/me/..")).toEqual([null, null]);
});

test("coded separators and a backslash hide steps from an allow, and are read both ways for a denial", () => {
  expect(both("/srv", "/srv/a%2Fb")).toEqual([null, true]);
  expect(both("/srv", "/srv/a%5cb")).toEqual([null, true]);
  expect(both("/srv", "/srv/a\\b")).toEqual([null, true]);
  expect(both("C:\\srv", "c:\\srv\\x")).toEqual([true, true]);
  expect(both("C:\\srv", "D:\\srv\\x")).toEqual([false, false]);
  expect(both("/srv", "/%73rv/x")).toEqual([false, true]);
  expect(both("/srv", "/srv/%zz")).toEqual([true, true]);
  expect(both("/c:x", "/c:x\\y")).toEqual([null, true]);
});

test("case and composed letters matter to an allow alone", () => {
  expect(both("/Srv", "/srv/x")).toEqual([false, true]);
  expect(both("/\u00e9", "/e\u0301/x")).toEqual([false, true]);
});

test("what some file system does not tell apart is one name to a denial, and never to an allow", () => {
  const spellings = [
    ".g\u200cit",
    ".git.",
    ".git ",
    ".git. .",
    ".GIT::$INDEX_ALLOCATION",
    ".git:$I30:$index_allocation",
    "%252egit",
    "%2egit",
    ".g\u00adit",
  ];
  for (const name of spellings)
    expect([name, ...both("/srv/.git", `/srv/${name}/config`)]).toEqual([name, false, true]);
  expect(both("/\u017frv", "/srv/x")).toEqual([false, true]);
  expect(both("/Users/k", "/u\u017fers/\u212a/x")).toEqual([false, true]);
  expect(both("/srv/.git", "/srv/.gitx")).toEqual([false, false]);
  expect(both("/srv/.git", "/srv/.git:x")).toEqual([false, false]);
});

test("a short name in the place of a folder's name cannot be told to a denial", () => {
  expect(both("/srv/.ssh", "/srv/SSH~1/id")).toEqual([false, null]);
  expect(both("/srv/secret folder", "/SRV/SECRET~12.TXT")).toEqual([false, null]);
  expect(both("/srv/.ssh", "/srv/x/SSH~1")).toEqual([false, false]);
  expect(both("/srv/.ssh", "/home/SSH~1")).toEqual([false, false]);
  expect(both("/srv/.ssh", "/srv/longnam~1")).toEqual([false, false]);
});

test("a name as long as arguments may be is compared in linear time", () => {
  const long = `${". ".repeat(250_000)}x`;
  expect(both("/srv/.git", `/srv/${long}`)).toEqual([false, false]);
  expect(both("/srv/.git", `/srv/${":".repeat(500_000)}`)).toEqual([false, false]);
});
