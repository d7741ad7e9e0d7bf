import fc from "fast-check";
import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { isAboutArgument } from "./condition-words.ts";
import { matchesGlob } from "./glob.ts";
import { idleRules, parseRules, type Rule } from "./rules.ts";
import { writeLiteral } from "./words.ts";

function parse(text: string): Rule {
  const [rule] = parseRules([text], "user");
  if (rule === undefined) throw new Error("expected a rule");
  return rule;
}

function pathsOf({ conditions }: Rule): (readonly string[])[] {
  return conditions.flatMap((condition) => (isAboutArgument(condition) ? [condition.path] : []));
}

function problemOf(text: string): string {
  try {
    parse(text);
    return "accepted";
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    expect(thrown.code).toBe("config_invalid");
    return thrown.message;
  }
}

function names(text: string, server: string, tool: string): boolean {
  const rule = parse(text);
  return matchesGlob(rule.server, server) && matchesGlob(rule.tool, tool);
}

test("a rule has an effect, a server, a tool, and conditions", () => {
  const rule = parse("  ask   fs/write_file path=/a/**  options.mode=fast ");
  expect(rule).toMatchObject({ effect: "ask", tier: "user" });
  expect(pathsOf(rule)).toEqual([["path"], ["options", "mode"]]);
});

test("a star in a name is any text, separators too, and everything else is exact", () => {
  expect(names("allow */*", "a/b", "c/d e")).toBe(true);
  expect(names("allow fs/read_*", "fs", "read_a/b")).toBe(true);
  expect(names("allow fs/read_*", "fs2", "read_a")).toBe(false);
  expect(names("allow fs/Read", "fs", "read")).toBe(false);
});

test("names with spaces, slashes or stars stand in quotes and mean themselves", () => {
  expect(names('allow "my server"/"a/b"', "my server", "a/b")).toBe(true);
  expect(names('allow fs/"run*"', "fs", "run_all")).toBe(false);
  expect(names('allow fs/"run*"', "fs", "run*")).toBe(true);
  expect(names('allow fs/"a b"*', "fs", "a b c")).toBe(true);
});

test("keys of an argument path may be quoted", () => {
  expect(pathsOf(parse('allow a/b "odd.key".inner=x'))).toEqual([["odd.key", "inner"]]);
});

test("a rule that is not valid says which one it is and what was expected", () => {
  expect(problemOf("permit fs/x")).toBe(
    "The rule `permit fs/x` is not valid: it must begin with allow, ask, deny or hide.",
  );
  expect(problemOf("")).toContain("must begin with");
  expect(problemOf("allow fs__read")).toContain("allow server/tool");
  expect(problemOf("allow")).toContain("allow server/tool");
  expect(problemOf("allow fs/")).toContain("both be named");
  expect(problemOf("allow /x")).toContain("both be named");
  expect(problemOf("allow fs/a/b")).toContain("must stand in quotes");
  expect(problemOf("allow fs/x path")).toContain("path=glob");
  expect(problemOf("allow sh/run command=git *")).toContain(
    "a value that holds a space must stand in quotes",
  );
  expect(problemOf("allow fs/x =y")).toContain("the path of an argument");
  expect(problemOf("allow fs/x a..b=y")).toContain("the path of an argument");
  expect(problemOf('allow fs/"x')).toContain("one complete JSON string");
  expect(problemOf('allow fs/"\\x"')).toContain("one complete JSON string");
  expect(problemOf("hide fs/x path=y")).toContain("hide takes no argument conditions");
  expect(problemOf("hide fs/x @trust=trusted")).toContain("hide takes no argument conditions");
  expect(problemOf("allow fs/x regex(path)=(a")).toContain("closed by )");
  expect(problemOf("allow fs/x regex(path)=(?=a)")).toContain("may not look ahead");
  expect(problemOf("allow fs/x regex(path=a")).toContain("regex( is closed by )");
  expect(problemOf("allow fs/x regex()=a")).toContain("the path of an argument");
  expect(problemOf("allow fs/x glob(path)=a")).toContain("regex(path), under(path) and host(path)");
  expect(problemOf("allow fs/x under(path)=/a/../b")).toContain("under takes one folder");
  expect(problemOf("allow fs/x under(path)=/a/**")).toContain("under takes one folder");
  expect(problemOf("allow fs/x under(path)=~/a")).toContain("under takes one folder");
  expect(problemOf("allow fs/x under(path)=")).toContain("under takes one folder");
  expect(problemOf("allow fs/x host(url)=https://a.b")).toContain("host takes the name of a host");
  expect(problemOf("allow fs/x host(url)=a.b:80")).toContain("host takes the name of a host");
  expect(problemOf("allow fs/x host(url)=*.bücher.de")).toContain("Punycode");
  expect(problemOf("allow fs/x @trust=yes")).toContain("@trust is trusted or untrusted");
  expect(problemOf("allow fs/x @readOnly=1")).toContain("@readOnly is true or false");
  expect(problemOf("allow fs/x @mode=ci")).toContain("@mode is interactive or headless");
  expect(problemOf("allow fs/x @principal=")).toContain("@principal is the name");
  expect(problemOf("allow fs/x @flow=write->untrusted")).toContain("@flow goes from");
  expect(problemOf("allow fs/x @time=noon")).toContain("@time is no condition");
  expect(problemOf('allow fs/x @tr"ust"=trusted')).toContain("has no quotes");
  expect(problemOf("ask fs/x @message=no")).toContain("in a rule that denies");
  expect(problemOf("deny fs/x @message=a @message=b")).toContain("stands once");
});

test("a quoted name is an argument, whatever it looks like", () => {
  expect(pathsOf(parse('allow a/b "@trust"=x "regex(p)"=y'))).toEqual([["@trust"], ["regex(p)"]]);
  expect(pathsOf(parse('allow a/b regex("odd key".x)=y under(a.b)=/c'))).toEqual([
    ["odd key", "x"],
    ["a", "b"],
  ]);
});

test("a condition is told as it was written", () => {
  const texts = ['path="a b"**', "@flow=untrusted→write", 'regex(x)="^a b$"', "host(u)=*.a.b"];
  expect(parse(`ask a/b ${texts.join("  ")}`).conditions.map(({ text }) => text)).toEqual(texts);
});

test("any name can be written into a rule that means exactly that name", () => {
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(name, name, name, (server, tool, other) => {
      const text = `allow ${writeLiteral(server)}/${writeLiteral(tool)}`;
      expect(names(text, server, tool)).toBe(true);
      expect(names(text, server, other)).toBe(other === tool);
      expect(text).toMatch(/^[ -~]+$/);
    }),
    { numRuns: 500 },
  );
});

test("no text makes the parser throw anything but config_invalid", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("allow ", "hide ", "a", "/", "*", '"', "\\", "=", " ", ".") }),
  );
  fc.assert(
    fc.property(text, (rule) => {
      expect(problemOf(rule)).not.toBe("");
    }),
    { numRuns: 1000 },
  );
});

test("a rule that names a server which the host does not have is told, and matches nothing", () => {
  const rules = parseRules(
    ["allow gone/tool", "allow here/tool", "deny */drop_*", "hide drawbridge/x"],
    "user",
  );
  expect(idleRules(rules, ["here"])).toEqual([
    "The rule `allow gone/tool` names no server of this host and matches nothing.",
  ]);
});

test("a rule that looks as if it matched, and does not, is an error", () => {
  for (const value of [
    "src/?.ts",
    "src/[a-z]*",
    "*.{md,txt}",
    "a|b",
    "^src",
    "'src/a'",
    "“src/a”",
    "=a",
    "!a",
  ]) {
    expect(problemOf(`deny fs/x path=${value}`)).toContain("only * and ** are wildcards");
  }
  for (const names of ["fs/x?", "fs/[ab]", "fs/{a,b}", "'fs'/x", "fs/a|b", "!fs/x"]) {
    expect(problemOf(`deny ${names}`)).toContain("only * and ** are wildcards");
  }
  for (const key of ["path!", "path~", "$.path", "path>", "path[0]", "path*"]) {
    expect(problemOf(`deny fs/x ${key}=a`)).toContain("stand in quotes");
    expect(parseRules([`deny fs/x ${JSON.stringify(key)}=a`], "user")).toHaveLength(1);
  }
});

test("a rule that holds what nobody sees is an error that says which character it is", () => {
  for (const hidden of ["\u200b", "\u00a0", "\u3000", "\u202e", "\u00ad", "\ufeff", "\u{e0041}"]) {
    const number = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    for (const rule of [`deny${hidden} fs/x`, `deny fs/x${hidden}`, `deny fs/x path="a${hidden}"`]) {
      expect(problemOf(rule)).toContain(`U+${number}`);
      expect(problemOf(rule)).not.toContain(hidden);
    }
  }
  expect(parseRules(['deny fs/x path="a\\u200b"'], "user")[0]?.conditions).toHaveLength(1);
});
