import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { type Page, page, pages, root } from "./markdown.ts";

/** A heading as its link is written: small letters, no punctuation, hyphens. */
function anchors({ prose }: Page): readonly string[] {
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("every link within the repository leads to a file, and to a heading of it", () => {
  let checked = 0;
  for (const from of pages) {
    for (const [, target = ""] of from.prose.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", heading] = target.split("#");
      const file = path === "" ? from.path : normalize(join(dirname(from.path), path));
      expect(existsSync(join(root, file)), `${from.path}: ${target}`).toBe(true);
      if (heading !== undefined) expect(anchors(page(file)), `${from.path}: ${target}`).toContain(heading);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(30);
});

test("every file that a page names is there", () => {
  let checked = 0;
  for (const { path, prose } of pages) {
    for (const [, named = ""] of prose.matchAll(
      /`((?:src|test|docs|schema|bench|examples|scripts)\/[^`\s]*)`/g,
    )) {
      if (named.includes("NAME") || named.includes("<")) continue;
      expect(existsSync(join(root, named)), `${path}: ${named}`).toBe(true);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(40);
});

test("every file that the map of the large folders names is there", () => {
  const [, map = ""] = page("ARCHITECTURE.md").text.split("## The three large folders");
  let checked = 0;
  for (const part of map
    .split("\n## ")[0]
    ?.split(/^(?=`\w+\/`)/m)
    .slice(1) ?? []) {
    const folder = /^`(\w+)\/`/.exec(part)?.[1] ?? "";
    const files = readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" });
    const chains = [...part.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, chain = ""]) => chain);
    const named = [
      ...part.matchAll(/`([a-z][a-z-]*\*?|\*[a-z-]+)`/g),
      ...chains.join("\n").matchAll(/([a-z]+[/-][a-z/-]+)/g),
    ].map(([, name = ""]) => name);
    for (const name of named) {
      const [before = "", after = ""] = name.split("*");
      const isThere = name.includes("*")
        ? files.some((file) => file.startsWith(before) && file.endsWith(`${after}.ts`))
        : files.includes(`${name}.ts`);
      expect(isThere, `src/${folder}/${name}`).toBe(true);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(70);
});

test("every page of the guide is in its contents, and every page is short", () => {
  const contents = page("docs/README.md").text;
  for (const name of readdirSync(join(root, "docs")))
    expect(contents).toContain(`(${name})`.replace("(README.md)", ""));
  for (const { path, text } of pages) expect(text.split("\n").length, path).toBeLessThanOrEqual(160);
  expect(page("README.md").text.split("\n").length).toBeLessThanOrEqual(100);
});

/** All sources as one text, as they stand when they run. */
function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sources(path);
      return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? readFileSync(path, "utf8") : "";
    })
    .join("\n");
}

test("every message that the page of troubles quotes is one that the program has", () => {
  const { prose } = page("docs/troubleshooting.md");
  const code = sources(join(root, "src"))
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
    .replaceAll(/\\([`"])/g, "$1")
    .replaceAll(/\$\{[^{}]*\}/g, "…");
  const quoted = [...prose.matchAll(/\*\*`([^*]+)`\*\*/g)].map(([, message = ""]) => message);
  expect(quoted.length).toBeGreaterThan(20);
  for (const message of quoted) {
    for (const part of message.split("…").filter((text) => /\w{3}/.test(text))) {
      expect(code.includes(part.replace(/^"/, "").trim()), `"${part}" of "${message}"`).toBe(true);
    }
  }
});

test("every command and option that the pages name is one of the command line", async () => {
  const { allOptions, commands } = await import("../../src/cli/command-line/table.ts");
  const words = new Set(commands.map(({ name }) => name.split(" ")[0]));
  const guide = pages.filter(({ path }) => path === "README.md" || path.startsWith("docs/"));
  for (const { path, prose } of guide) {
    const codes = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
    for (const code of codes) {
      const [, command] = /^drawbridge ([a-z]+)\b/.exec(code) ?? [];
      if (command !== undefined) expect(words, `${path}: ${code}`).toContain(command);
      if (!/^(?:drawbridge|--)/.test(code)) continue;
      for (const [, option = ""] of code.matchAll(/(?:^| )--([a-z-]+)/g)) {
        expect(allOptions.has(option), `${path}: --${option}`).toBe(true);
      }
    }
  }
});
