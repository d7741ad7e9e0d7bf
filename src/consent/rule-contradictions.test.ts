import fc from "fast-check";
import { expect, test } from "vitest";
import { someFacts } from "../../test/support/policies.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { contradictions } from "./rule-contradictions.ts";
import { parseRules } from "./rules.ts";

const told = (...texts: string[]) => contradictions(parseRules(texts, "user"));

test.each([
  ["allow fs/read path=a path=b", "path=a", "path=b"],
  ["allow fs/read path=src/** mode=x path=docs/*", "path=src/**", "path=docs/*"],
  ["allow fs/read path=*.md path=**/x.txt", "path=*.md", "path=**/x.txt"],
  ["allow fs/read path=/a/*/c path=/a/c", "path=/a/*/c", "path=/a/c"],
  ["allow fs/read path=a.md path=*.txt", "path=a.md", "path=*.txt"],
  ["allow sh/run cmd=rm regex(cmd)=(ls|cat)", "cmd=rm", "regex(cmd)=(ls|cat)"],
  ["allow fs/read under(path)=/srv/a under(path)=/srv/b", "under(path)=/srv/a", "under(path)=/srv/b"],
  ["allow web/get host(url)=a.example host(url)=*.com", "host(url)=a.example", "host(url)=*.com"],
  ["allow fs/* @readOnly=true @readOnly=false", "@readOnly=true", "@readOnly=false"],
  ["deny fs/* @trust=trusted @trust=untrusted", "@trust=trusted", "@trust=untrusted"],
  ["ask fs/* @mode=headless @mode=interactive", "@mode=headless", "@mode=interactive"],
  ["deny fs/* @principal=ann @principal=b*", "@principal=ann", "@principal=b*"],
])("`%s` matches nothing, and is told", (rule, a, b) => {
  expect(told(rule)).toEqual([
    `The rule \`${rule}\` matches nothing: nothing meets both \`${a}\` and \`${b}\`. Where either will do, write two rules.`,
  ]);
});

test("to deny, a list or a path worked out may still meet both, and the sentence says no more than that", () => {
  expect(told("deny fs/read path=/etc/** path=/root/**")).toEqual([
    "The rule `deny fs/read path=/etc/** path=/root/**` hardly matches anything: few values meet both `path=/etc/**` and `path=/root/**`. Where either will do, write two rules.",
  ]);
  expect(told("deny sh/run regex(cmd)=^sudo cmd=rm")).toHaveLength(1);
});

test("nothing is told where something may meet both", () => {
  const fine = [
    ...["allow fs/read path=src/** path=**/*.ts", "allow fs/read a=x b=y", "allow fs/read a.b=x a.c=y"],
    ...["deny fs/read path=./src/* path=src/*", "allow fs/read under(path)=/srv under(path)=/srv/a"],
    ...["deny fs/* @readOnly=true @readOnly=false", "deny fs/read under(path)=/SRV/x under(path)=/srv"],
    "deny fs/read under(path)=/srv/x. under(path)=/srv/x/y",
    ...["allow fs/read under(path)=src under(path)=/srv", "allow sh/run cmd=ls regex(cmd)=(ls|cat)"],
    ...["allow web/get host(url)=*.example.com host(url)=api.*", "allow fs/read path=a under(path)=/b"],
    ...["allow fs/* @trust=trusted @mode=headless", "ask */* @flow=private->write @flow=untrusted->write"],
  ];
  expect(told(...fine)).toEqual([]);
});

test("what is said to match nothing does, whatever the call", () => {
  const conditions = [
    ...["path=/a/b", "path=/a/**", "path=*.ts", "path=src", "under(path)=/a", "under(path)=/b"],
    ...["regex(path)=/a/[a-z]+", "regex(path)=s.*", "@readOnly=true", "@readOnly=false", "@trust=trusted"],
  ];
  const texts = conditions.flatMap((a) => conditions.map((b) => `allow */* ${a} ${b}`));
  const apart = texts.filter((text) => told(text).length > 0).flatMap((text) => parseRules([text], "user"));
  expect(apart).toHaveLength(16);
  const paths = fc.constantFrom("/a/b", "/a/x.ts", "src", "/b/y", "/a/../src");
  fc.assert(
    fc.property(fc.constantFrom(...apart), paths, someFacts, (rule, path, facts) => {
      for (const call of [facts, { ...facts, arguments: { path } }])
        expect(meetsConditions(rule, createCallView(call))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("a rule with a great many conditions, or with a long text for a large pattern, costs nothing more", () => {
  const many = Array.from({ length: 21 }, (_, index) => `a=${index}`).join(" ");
  expect(told(`allow fs/read ${many}`)).toEqual([]);
  expect(told(`allow fs/read ${many.replace("a=20", "")}`)).toHaveLength(1);
  const pattern = "regex(a)=(a?){900}b";
  expect(told(`deny fs/read a=${"a".repeat(3_000)} ${pattern}`)).toEqual([]);
  expect(told(`deny fs/read a=aaa ${pattern}`)).toHaveLength(1);
});
