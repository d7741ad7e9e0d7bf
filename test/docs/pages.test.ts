import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createLimiter } from "../../src/util/limit.ts";
import { type Block, type Page, pages, root } from "./markdown.ts";
import { createPlace, type Ended, type PageFolder, pageFolder, runIn } from "./page-folder.ts";

// A page is read from its top to its end, as a person would: its blocks share one folder and one home.
// ```json NAME      the file is written; so are js and jsonc
// ```sh             every command is run and must succeed, or end with the code behind `# exit`
// ```sh no-run      its first line says to the reader what it needs
// ```ts, ```ts run  compiled against the package's types; and run
// ```text output    stands in the output of what was run before it, line by line; … is any text

const place = createPlace();
const two = createLimiter(2);
const known = /^(?:(?:sh|ts|js|text|json|jsonc)|sh no-run|ts run|text output|js(?:onc?)? \S+)$/;

const nameOf = (page: Page): string => basename(page.path, ".md").toLowerCase();
const programs = pages.flatMap((page) =>
  page.blocks
    .filter(({ language }) => language === "ts")
    .map((block) => ({ file: `${nameOf(page)}-${block.line}`, text: block.text })),
);

let complaints = "";

beforeAll(() => {
  for (const { file, text } of programs)
    writeFileSync(join(place.folder, `${file}.ts`), `${text}\nexport {};\n`);
  const options = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "node",
    "--skipLibCheck",
  ];
  const compiled = spawnSync(
    join(root, "node_modules/.bin/tsc"),
    [...options, "--outDir", place.compiled, ...programs.map(({ file }) => `${file}.ts`)],
    { cwd: place.folder, encoding: "utf8" },
  );
  complaints = compiled.stdout + compiled.stderr;
}, 60_000);

test("every program of the pages is correct for the package's types", () => {
  expect(programs.length).toBeGreaterThan(5);
  expect(complaints).toBe("");
});

test("every block says what it is, and one that is not run what it needs", () => {
  for (const { path, blocks } of pages) {
    for (const { language, note, line, text } of blocks) {
      expect(`${language} ${note}`.trim(), `${path}:${line}`).toMatch(known);
      if (note === "no-run") expect(text, `${path}:${line}`).toMatch(/^# needs /);
    }
  }
});

/** One script of all commands: a command may be continued behind a backslash. */
function scriptOf({ text }: Block): string {
  const commands = text.replaceAll("\\\n", " ").split("\n");
  const lines = commands.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines
    .map((line) => {
      const status = / # exit (\d+)$/.exec(line)?.[1] ?? "0";
      const quoted = JSON.stringify(line).replaceAll(/[$`]/g, "\\$&");
      return `${line}\nended=$?; [ $ended = ${status} ] || { echo ${quoted} ended with $ended; exit 99; }`;
    })
    .join("\n");
}

/** Each line that is shown, in this order, among those that were printed. */
function expectShown(shown: string, printed: string, where: string): void {
  const lines = printed.split("\n").map((line) => line.trimEnd());
  let from = 0;
  for (const line of shown.split("\n").filter((text) => text.trim() !== "")) {
    const parts = line.trimEnd().split("…");
    const at = lines.findIndex((candidate, index) => index >= from && fits(parts, candidate));
    expect(at, `${where}: "${line}" is not in:\n${printed}`).toBeGreaterThanOrEqual(0);
    from = at + 1;
  }
}

function fits([first = "", ...rest]: readonly string[], line: string): boolean {
  if (rest.length === 0) return line === first;
  const last = rest.at(-1) ?? "";
  let at = line.startsWith(first) ? first.length : -1;
  for (const part of rest) {
    if (at === -1) return false;
    const found = line.indexOf(part, at);
    at = found === -1 ? -1 : found + part.length;
  }
  return at !== -1 && line.endsWith(last);
}

async function runBlock(page: Page, block: Block, folder: PageFolder): Promise<Ended | null> {
  const { language, note } = block;
  if (language === "sh" && note === "") return runIn(folder, scriptOf(block));
  if (language === "ts" && note === "run") {
    return runIn(folder, `exec node "${join(place.compiled, `${nameOf(page)}-${block.line}.js`)}"`);
  }
  if (/^js/.test(language) && note !== "") folder.write(note, block.text);
  return null;
}

const runnable = pages.filter(({ blocks }) =>
  blocks.some(({ language, note }) => (language === "sh" && note === "") || note === "run"),
);

test.concurrent.each(runnable.map((page) => [page.path, page] as const))(
  "what %s tells to type works, and shows what it says",
  (path, page) =>
    two.run(new AbortController().signal, async () => {
      const folder = pageFolder(place, nameOf(page));
      let last: Ended | null = null;
      for (const block of page.blocks) {
        const where = `${path}:${block.line}`;
        if (block.note === "output") expectShown(block.text, last?.output ?? "", where);
        const ended = await runBlock(page, block, folder);
        if (ended === null) continue;
        expect(ended.status, `${where}\n${ended.output}`).toBe(0);
        last = ended;
      }
    }),
  120_000,
);
