import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { applyCompletion, complete } from "../../../src/cli/chat/editor/completion.ts";
import { listPaths } from "../../../src/cli/chat/editor/list-paths.ts";
import { candidateRows } from "../../../src/cli/chat/prompt.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-complete-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "docs"));
for (const name of ["notes.md", "numbers.csv", ".hidden", "docs/guide.md"])
  writeFileSync(join(folder, name), "");

const sources = {
  commands: ["/save", "/servers", "/system", "/help"],
  servers: ["my files", "web"],
  aliases: ["web__fetch", "web__search"],
  files: (prefix: string) => listPaths(prefix, folder),
};

/** What Tab at the end of the text makes of it. */
async function tab(text: string): Promise<string | readonly string[] | null> {
  const edited = { text, cursor: text.length };
  const completion = await complete(edited, sources);
  if (completion === null) return null;
  return applyCompletion(edited, completion)?.text ?? completion.candidates;
}

const cases: readonly [string, string | readonly string[] | null][] = [
  ["/h", "/help "],
  ["/se", "/servers "],
  ["/s", ["/save", "/servers", "/system"]],
  ["/help sy", "/help /system "],
  ["/tools my f", "/tools my files "],
  ["/save no", "/save notes.md "],
  ["read @no", "read @notes.md "],
  ["read @n", ["notes.md", "numbers.csv"]],
  ["read @do", "read @docs/"],
  ["read @docs/", "read @docs/guide.md "],
  ["read @.h", "read @.hidden "],
  ["use web__", ["web__fetch", "web__search"]],
  ["use web__f", "use web__fetch "],
  ["nothing begins so", []],
  ["a space ", null],
  ["see @nowhere/x", []],
];

test.each(cases)("Tab after %j gives %j", async (text, expected) => {
  expect(await tab(text)).toEqual(expected);
});

test("many candidates are counted, and none is wider than the screen", () => {
  const rows = candidateRows(
    Array.from({ length: 500 }, (_, index) => `candidate-${index}`),
    40,
  );
  expect(rows).toHaveLength(6);
  expect(rows.at(-1)).toBe("… 490 more");
});
