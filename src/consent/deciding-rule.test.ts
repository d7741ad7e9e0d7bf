import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import type { CallFacts } from "../types/policy.ts";
import { createPolicy } from "./policy.ts";
import { parseRules } from "./rules.ts";

const write = makeTool({ server: "fs", name: "write", trusted: true });

function decision(rules: readonly string[], values: JsonObject, parts: Partial<CallFacts> = {}): string {
  return createPolicy(parseRules(rules, "user")).assess(makeFacts(write, values, parts)).type;
}

test("an exact value is more specific than every other condition on the same argument", () => {
  const path = "/srv/app/x";
  for (const other of ["path=/srv/**", "under(path)=/srv/app", "regex(path)=^/srv/app/x$"]) {
    expect(decision([`ask fs/write ${other}`, `allow fs/write path=${path}`], { path })).toBe("allow");
  }
  const url = "https://a.example.com/";
  const exact = `allow fs/write url=${JSON.stringify(url)}`;
  expect(decision(["ask fs/write host(url)=a.example.com", exact], { url })).toBe("allow");
  expect(decision(["ask fs/write under(path)=/srv", "allow fs/write other=x"], { path, other: "x" })).toBe(
    "ask",
  );
});

test("a folder is more specific than those it lies in, and not than those beside it", () => {
  const path = "/srv/app/x";
  const inner = "allow fs/write under(path)=/srv/app";
  expect(decision(["ask fs/write under(path)=/srv", inner], { path })).toBe("allow");
  expect(decision(["ask fs/write under(path)=/srv/app", "allow fs/write under(path)=/srv"], { path })).toBe(
    "ask",
  );
  expect(decision(["ask fs/write under(to)=/tmp/a", inner], { path, to: "/tmp/a/b" })).toBe("ask");
  const both = ["ask fs/write under(path)=/etc", "allow fs/write under(path)=/srv/app/deep"];
  expect(decision(both, { path: ["/etc/x"] })).toBe("ask");
  const beside = [
    "ask fs/write under(path)=/srv/other",
    "allow fs/write under(path)=app",
    "allow fs/write path=z",
  ];
  expect(decision(beside, { path: "/srv/other/app/x" }, { folder: "/srv/other" })).toBe("ask");
});

test("a host is as specific as its literal characters, and a pattern only as itself", () => {
  const url = "https://a.example.com/";
  expect(decision(["ask fs/write host(url)=*.com", "allow fs/write host(url)=*.example.com"], { url })).toBe(
    "allow",
  );
  const patterns = ["ask fs/write regex(path)=a", "allow fs/write regex(path)=[a-z]+"];
  expect(decision(patterns, { path: "a" })).toBe("ask");
  expect(
    decision(["ask fs/write regex(path)=a", "allow fs/write regex(path)=a mode=x"], { path: "a", mode: "x" }),
  ).toBe("allow");
});

test("a flow is more specific the fewer sides are open; other conditions of the situation only as themselves", () => {
  const reads = { untrusted: true, private: false };
  const flows = ["ask fs/write @flow=*->write", "allow fs/write @flow=untrusted->write"];
  expect(decision(flows, {}, { reads })).toBe("allow");
  expect(decision(["ask fs/write @mode=interactive", "allow fs/write @trust=trusted"], {})).toBe("ask");
  expect(decision(["ask fs/write @principal=a*", "allow fs/write @principal=ann"], {})).toBe("allow");
  expect(decision(["ask fs/write", "allow fs/write @readOnly=false"], {})).toBe("allow");
});

test("of two rules that allow and cannot be compared, the one that allows less decides", () => {
  const wipe = makeTool({ server: "fs", name: "wipe", annotations: { destructiveHint: true } });
  const facts = makeFacts(wipe, { path: "/a/b" });
  for (const rules of [
    ["allow fs/* path=/a/**", "allow */wipe"],
    ["allow */* path=/a/**", "allow fs/*"],
    ["allow */wipe path=/a/**", "allow fs/*"],
  ]) {
    expect(createPolicy(parseRules(rules, "user")).assess(facts).type).toBe("ask");
    expect(createPolicy(parseRules(rules.slice(0, 1), "user")).assess(facts).type).toBe("allow");
  }
});

test("what is not of the same kind covers nothing, however many conditions stand beside it", () => {
  const values = { path: "/app/app/x/y", url: "https://a.example.com/", mode: "x" };
  const of = (asking: string, allowing: string) =>
    decision([`ask fs/write ${asking}`, `allow fs/write ${allowing} mode=x`], values, { folder: "/app" });
  expect(of("regex(path)=.*a.*", "path=/app/**")).toBe("ask");
  expect(of("regex(path)=.*a.*", "regex(path)=[/a-z]+")).toBe("ask");
  expect(of("regex(path)=.*a.*", "regex(path)=.*a.*")).toBe("allow");
  expect(of("under(path)=/app", "path=/app/**")).toBe("ask");
  expect(of("under(path)=/app", "under(path)=app/x")).toBe("ask");
  expect(of("under(path)=/app", "under(path)=/app/app")).toBe("allow");
  expect(of("host(url)=*.example.com", "host(url)=*.example.com")).toBe("allow");
  expect(of("host(url)=*.example.com", "url=https://**")).toBe("ask");
});
