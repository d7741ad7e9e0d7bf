import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { Json } from "../types/json.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { parseRules } from "./rules.ts";

/** Whether a rule with the condition matches a call whose argument `p` has the value. */
function meets(effect: string, condition: string, p: Json, folder: string | null = null): boolean {
  const [rule] = parseRules([`${effect} s/t ${condition}`], "user");
  return (
    rule !== undefined && meetsConditions(rule, createCallView(makeFacts(makeTool(), { p }, { folder })))
  );
}

/** What an allow and what a deny with the same condition say of the value. */
function both(condition: string, p: Json, folder: string | null = null): readonly [boolean, boolean] {
  return [meets("allow", condition, p, folder), meets("deny", condition, p, folder)];
}

test("a pattern allows what it fits wholly, and denies what it fits anywhere", () => {
  const condition = 'regex(p)="git (status|log)"';
  expect(both(condition, "git log")).toEqual([true, true]);
  expect(both(condition, "git log; rm -rf /")).toEqual([false, true]);
  expect(both(condition, "git push")).toEqual([false, false]);
  expect(both("regex(p)=^/srv/.*", "/srv/../etc/x")).toEqual([false, true]);
  expect(both("regex(p)=^/etc/", "/srv/../etc/x")).toEqual([false, true]);
});

test("a path lies in a folder by its segments, whatever its slashes and dots", () => {
  const condition = "under(p)=/srv/app";
  for (const path of ["/srv/app", "/srv/app/", "/srv//app/./x", "/srv/app/a..b/c"]) {
    expect(both(condition, path)).toEqual([true, true]);
  }
  for (const path of ["/srv/application/x", "/srv", "/etc/srv/app", "/"]) {
    expect(both(condition, path)).toEqual([false, false]);
  }
  expect(both("under(p)=/", "/etc")).toEqual([true, true]);
});

test("a step up never lets a path be allowed, and is worked out for a denial", () => {
  const condition = "under(p)=/etc";
  expect(both(condition, "/etc/a/../b")).toEqual([false, true]);
  expect(both(condition, "/srv/../etc/shadow")).toEqual([false, true]);
  expect(both(condition, "/srv/../../../etc")).toEqual([false, true]);
  expect(both(condition, "/srv/%2e%2e/etc/x")).toEqual([false, true]);
  expect(both(condition, "/%65tc/shadow")).toEqual([false, true]);
  expect(both(condition, "/srv%2f..%2fetc")).toEqual([false, true]);
  expect(both(condition, "/etc/.. /x")).toEqual([false, true]);
  expect(both(condition, "/etc/../srv")).toEqual([false, false]);
});

test("a step up in disguise is one: letters that normalise to dots, what nobody sees, twice coded, behind ; or in braces", () => {
  for (const disguised of [
    "．．",
    "․․",
    "‥",
    ".\u200b.",
    "..\u200b",
    ".\u00ad.",
    "%252e%252e",
    "..;x",
    "{a,..}",
    ". .",
  ]) {
    const path = `/srv/${disguised}/etc`;
    expect([path, both("under(p)=/srv", path)]).toEqual([path, [false, true]]);
    expect([path, meets("deny", "under(p)=/etc", path)]).toEqual([path, true]);
  }
  expect(both("under(p)=/srv", "/srv/..／etc")).toEqual([false, true]);
  for (const disguised of ["．．", "‥", ".\u200b.", "%252e%252e", "..;x", "{a,..}"]) {
    expect([disguised, meets("allow", "p=/srv/**", `/srv/${disguised}/etc`)]).toEqual([disguised, false]);
  }
  for (const path of ["/srv/…x", "/srv/a‥b", "/srv/50%/a", "/srv/{a,b}", "/srv/日本/a;b"]) {
    expect([path, both("under(p)=/srv", path)]).toEqual([path, [true, true]]);
  }
});

test("a relative path goes from the server's folder, and without one it cannot be told", () => {
  expect(both("under(p)=/srv/app", "src/x.ts", "/srv/app")).toEqual([true, true]);
  expect(both("under(p)=/srv/app", "src/x.ts", "/home")).toEqual([false, false]);
  expect(both("under(p)=/srv/app", "src/x.ts")).toEqual([false, true]);
  expect(both("under(p)=src", "src/x.ts", "/srv/app")).toEqual([true, true]);
  expect(both("under(p)=src", "/srv/app/src/x.ts", "/srv/app")).toEqual([true, true]);
  expect(both("under(p)=src", "/srv/app/x.ts", "/srv/app")).toEqual([false, false]);
  expect(both("under(p)=src", "src/x.ts")).toEqual([false, true]);
  expect(both("under(p)=/srv/app", "../x", "/srv/app")).toEqual([false, false]);
});

test("what is no plain path cannot be told: a URL, a home folder, a variable, a control character", () => {
  for (const path of [
    "file:///srv/app/x",
    "~/x",
    "$HOME/x",
    "%TEMP%/x",
    "C:x",
    " /etc/x",
    "/srv/app/\u0000x",
  ]) {
    expect(both("under(p)=/srv/app", path, "/srv/app")).toEqual([false, true]);
  }
  expect(both("under(p)=/srv/app", { path: "/srv/app" })).toEqual([false, true]);
  expect(both("under(p)=/srv/app", 5, "/srv/app")).toEqual([false, false]);
});

test("a backslash separates only where the folder is one of Windows; a denial reads it both ways", () => {
  expect(both("under(p)=/srv/app", "/srv/app\\x")).toEqual([false, true]);
  expect(both("under(p)=C:/work", "c:\\work\\x")).toEqual([true, true]);
  expect(both("under(p)=C:/work", "C:\\work\\..\\x")).toEqual([false, false]);
  expect(both("under(p)=C:/work", "D:\\work\\x")).toEqual([false, false]);
});

test("case and composed letters matter to allow and not to deny", () => {
  expect(both("under(p)=/Users/ann/.ssh", "/users/ann/.SSH/id")).toEqual([false, true]);
  expect(both("under(p)=/srv/é", "/srv/e\u0301/x")).toEqual([false, true]);
});

test("of a list every path must be in the folder to be allowed, and one is enough to be denied", () => {
  expect(both("under(p)=/srv", ["/srv/a", "/etc/b"])).toEqual([false, true]);
  expect(both("under(p)=/srv", ["/srv/a", "/srv/b"])).toEqual([true, true]);
  expect(both("under(p)=/srv", [])).toEqual([false, false]);
});

test("the host of a URL is compared as it is parsed", () => {
  expect(both("host(p)=example.com", "https://EXAMPLE.com:8443/x?y#z")).toEqual([true, true]);
  expect(both("host(p)=example.com", "https://example.com./x")).toEqual([true, true]);
  expect(both("host(p)=*.example.com", "https://a.b.example.com/")).toEqual([true, true]);
  expect(both("host(p)=*.example.com", "https://example.com/")).toEqual([false, false]);
  expect(both("host(p)=*.example.com", "https://example.com.evil.net/")).toEqual([false, false]);
  expect(both("host(p)=bücher.example", "https://xn--bcher-kva.example/")).toEqual([true, true]);
  expect(both("host(p)=xn--bcher-kva.example", "https://BÜCHER.example/")).toEqual([true, true]);
  expect(both("host(p)=127.0.0.1", "http://0x7f.1/")).toEqual([true, true]);
  expect(both("host(p)=127.0.0.1", "http://[::ffff:127.0.0.1]/")[1]).toBe(true);
  expect(both("host(p)=[::1]", "http://[0:0::1]/")).toEqual([true, true]);
});

test("a URL that a server may read differently is never allowed, and is denied", () => {
  const tricks = [
    "https://good.com@evil.com/",
    "https://good.com:x@evil.com/",
    "https://evil.com\\@good.com/",
    "https://good.com%2f@evil.com/",
    " https://good.com/",
    "ht\ntps://good.com/",
    "//good.com/",
    "good.com/x",
    "https:good.com",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/plain,x",
    "https://good.com?@evil.com/",
    "https://good.com#@evil.com/",
    "https://good.com/ https://evil.com/",
    "https://good.com/\nx",
  ];
  for (const url of tricks) expect([url, both("host(p)=*", url)]).toEqual([url, [false, true]]);
  for (const url of tricks) expect([url, both("host(p)=good.com", url)]).toEqual([url, [false, true]]);
  for (const url of ["https://good.com/?mail=a@b.com", "https://good.com?q=1#x"]) {
    expect([url, both("host(p)=good.com", url)]).toEqual([url, [true, true]]);
  }
});
