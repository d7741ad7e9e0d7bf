import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allowAdvice } from "../../src/cli/show/allow-advice.ts";

/** What a shell makes of the words behind `To allow: `. */
function pasted(rules: readonly string[]): string[] {
  const words = allowAdvice(rules).replace(" To allow: ", "");
  const text = execFileSync("sh", ["-c", `printf '%s\\n' ${words}`], { encoding: "utf8" });
  return text.split("\n").slice(0, -1);
}

test("whatever a server names its tool, the rule that is pasted into a shell is the rule, and nothing of it is run", () => {
  const rules = ['e/"lookup $(touch /tmp/never) `id`"', "e/it's", "-x/*", "plain/tool"];
  expect(pasted(rules)).toEqual([
    "--allow",
    rules[0],
    "--allow",
    rules[1],
    "--allow=-x/*",
    "--allow",
    rules[3],
  ]);
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{1,40}$/), (name) => {
      expect(pasted([`e/${name}`])).toEqual(["--allow", `e/${name}`]);
    }),
    { numRuns: 25 },
  );
});

test("where no rule would allow it nothing is advised", () => {
  expect(allowAdvice([])).toBe("");
});
