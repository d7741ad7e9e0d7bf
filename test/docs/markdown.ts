import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Block {
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** The first word behind the fence. */
  readonly language: string;
  /** What follows it. */
  readonly note: string;
  readonly text: string;
}

export interface Page {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Without its blocks. */
  readonly prose: string;
}

/** Everything that is written for people who use the project or work on it. */
export const pages: readonly Page[] = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "ARCHITECTURE.md"],
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map(readPage);

/** @throws Error when there is no such page */
export function page(path: string): Page {
  const found = pages.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}.`);
  return found;
}

function readPage(path: string): Page {
  const text = readFileSync(join(root, path), "utf8");
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; language: string; note: string; lines: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    if (open !== null && line === "```") {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.join("\n") });
      open = null;
    } else if (open !== null) open.lines.push(line);
    else if (line.startsWith("```")) {
      const [language = "", ...note] = line.slice(3).split(" ");
      open = { line: index + 1, language, note: note.join(" "), lines: [] };
    } else prose.push(line);
  }
  if (open !== null) throw new Error(`${path}:${open.line}: the block is not closed.`);
  return { path, text, blocks, prose: prose.join("\n") };
}

/** The cells of every table row below the heading row that begins with these cells. */
export function tableRows(text: string, ...heading: readonly string[]): readonly (readonly string[])[] {
  const rows = text.split("\n").map(cellsOf);
  const first = rows.findIndex((cells) => heading.every((cell, index) => cells[index] === cell));
  if (first === -1) throw new Error(`There is no table with the heading ${heading.join(" | ")}.`);
  const rest = rows.slice(first + 2);
  const end = rest.findIndex((cells) => cells.length === 0);
  return end === -1 ? rest : rest.slice(0, end);
}

function cellsOf(line: string): readonly string[] {
  if (!line.startsWith("|")) return [];
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
