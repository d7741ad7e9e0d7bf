import fc from "fast-check";
import { expect, test } from "vitest";
import { type Expansions, expand } from "./expand.ts";

const expansions: Expansions = {
  environment: { TOKEN: "secret", EMPTY: "", DOLLAR: "${TOKEN} $${TOKEN}", "ProgramFiles(x86)": "p" },
  workspaceFolder: "/work space",
  userHome: "/home/ann",
};

test.each([
  ["plain $TOKEN $ {TOKEN} }", "plain $TOKEN $ {TOKEN} }"],
  ["${TOKEN}", "secret"],
  ["a${TOKEN}b${env:TOKEN}c", "asecretbsecretc"],
  ["${EMPTY}|${EMPTY:-x}|${NONE:-}|${NONE:-a b}|${env:NONE:-a:-b}", "|x||a b|a:-b"],
  ["${workspaceFolder}/x:${userHome}", "/work space/x:/home/ann"],
  ["$${TOKEN} and $$ and $$${TOKEN}", "${TOKEN} and $$ and $${TOKEN}"],
  ["${DOLLAR}", "${TOKEN} $${TOKEN}"],
  ["${NONE:-${TOKEN}", "${TOKEN"],
  ["${ProgramFiles(x86)}", "p"],
])("%s becomes %s", (text, expected) => {
  expect(expand(text, expansions)).toMatchObject({ text: expected });
});

test.each([
  ["${NONE}", "needs the environment variable NONE, which is not set; set it, or write ${NONE:-default}"],
  ["${__proto__}", "needs the environment variable __proto__, which is not set"],
  ["${input:api-key}", "asks with ${input:api-key}, which only another host can"],
  ["${command:x}", "is not known here"],
  ["${a b}", "is not known here"],
  ["${}", "is not known here"],
  ["a${TOKEN", "holds a ${ without its }"],
])("%s cannot be replaced, and the text says why", (text, problem) => {
  expect(expand(text, expansions).problem).toContain(problem);
});

test("what was used is told, with where its value is from", () => {
  expect(expand("${TOKEN}${NONE:-d}${userHome}", expansions).used).toEqual([
    { name: "TOKEN", from: "environment", value: "secret" },
    { name: "NONE", from: "default", value: "d" },
  ]);
});

test("a value is put in as it is, whatever it holds, and a text without ${ stays as it is", () => {
  const value = fc.string({ unit: fc.constantFrom("$", "{", "}", "V", ":", "-", "&", "`", "é") });
  fc.assert(
    fc.property(value, value, value, (before, inside, after) => {
      const plain = (text: string) => text.replaceAll("{", "(");
      const ends = [plain(before).replace(/\$+$/, ""), plain(after)] as const;
      const environment = { V: inside };
      expect(expand(`${ends[0]}\${V}${ends[1]}`, { ...expansions, environment })).toMatchObject({
        text: `${ends[0]}${inside}${ends[1]}`,
      });
      expect(expand(plain(before), expansions)).toEqual({ text: plain(before), used: [] });
    }),
    { numRuns: 200 },
  );
});

test("a text of many braces is read in one pass", () => {
  const many = "${".repeat(200_000);
  expect(expand(many, expansions).problem).toContain("without its }");
  expect(expand("${V:-}".repeat(100_000), expansions).text).toBe("");
});
