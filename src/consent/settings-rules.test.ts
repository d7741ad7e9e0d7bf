import { expect, test } from "vitest";
import { readRules } from "./settings-rules.ts";

test.each(["rules", "administratorRules", "projectRules", "shadowRules", "administratorShadowRules"])(
  "conditions that exclude each other are told of %s",
  (tier) => {
    const rule = "deny fs/* @mode=headless @mode=interactive";
    const { warnings } = readRules({ rules: [], [tier]: [rule] });
    expect(warnings).toEqual([expect.stringContaining(`The rule \`${rule}\` matches nothing`)]);
  },
);

test("a server that is not there is told of the user's and a project's rules alone: an administrator's are for many hosts", () => {
  const names = (server: string) => [`deny ${server}/*`];
  const { warnings } = readRules({
    ...{ rules: names("a"), projectRules: names("b"), administratorRules: names("c"), servers: ["fs"] },
  });
  expect(warnings.map((text) => /deny \w/.exec(text)?.[0])).toEqual(["deny a", "deny b"]);
});
