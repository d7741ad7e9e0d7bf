import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { neighbourhoods } from "./all.ts";

const testing = join(import.meta.dirname, "../../../src/testing");

/** The names in the list of rules of a simulator, one to a line. */
function ruleNames(api: string): string[] {
  const source = readFileSync(join(testing, api, "validate.ts"), "utf8");
  const list = /^export const \w*[rR]ules\b[^=]*= \[\n(?<lines>.*?)^\]/ms.exec(source)?.groups?.lines ?? "";
  return list.split("\n").flatMap((line) => /^\s*([\w.]+),$/.exec(line)?.[1] ?? []);
}

test.each(Object.keys(neighbourhoods))(
  "%s: every rule has its neighbourhood, or the reason why none is sent",
  (api) => {
    const names = ruleNames(api);
    expect(names.length).toBeGreaterThan(30);
    expect(Object.keys(neighbourhoods[api] ?? {})).toEqual(names);
  },
);
