import { expect, test } from "vitest";
import { makeFacts, makeTool } from "../../test/support/tools.ts";
import { createCallView, meetsConditions } from "./conditions.ts";
import { parseRules } from "./rules.ts";

function meets(rule: string, path: string): boolean {
  const [parsed] = parseRules([rule], "user");
  return parsed !== undefined && meetsConditions(parsed, createCallView(makeFacts(makeTool(), { path })));
}

const spellings = ["secret/x", "./secret/x", "././secret/x", "secret//x", "a/../secret/x", ".//secret/./x"];

test.each(["secret/*", "./secret/*", '"./secret/"*', "././secret/x", "./**", "./*/x"])(
  "to ask or to deny, the pattern %s covers a path with and without ./ in front",
  (glob) => {
    for (const effect of ["deny", "ask"]) {
      for (const path of spellings)
        expect([path, meets(`${effect} s/t path=${glob}`, path)]).toEqual([path, true]);
    }
  },
);

test("other folders stay other ones, and an allow goes by the text as it is", () => {
  expect(meets("deny s/t path=./secret/*", "public/x")).toBe(false);
  expect(meets("deny s/t path=./secret/*", "/secret/x")).toBe(false);
  expect(meets("deny s/t path=.secret/*", "secret/x")).toBe(false);
  expect(meets("deny s/t path=secret", ".")).toBe(false);
  expect(meets("allow s/t path=./src/*", "src/x")).toBe(false);
  expect(meets("allow s/t path=src/*", "./src/x")).toBe(false);
  expect(meets("allow s/t path=./src/*", "./src/x")).toBe(true);
});
