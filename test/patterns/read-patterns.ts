import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseSync, Visitor } from "vite";

const root = join(import.meta.dirname, "../..");

/** A pattern literal of the source. */
export interface Pattern {
  /** From the root of the project, with `/`. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** What `new RegExp` gets, as it is written. */
export interface BuiltPattern {
  readonly file: string;
  readonly written: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/** Every pattern of `src/`: the literals, and the places that build one. */
export function readPatterns(): { literals: readonly Pattern[]; built: readonly BuiltPattern[] } {
  const literals: Pattern[] = [];
  const built: BuiltPattern[] = [];
  for (const path of sourceFiles(join(root, "src"))) {
    const file = relative(root, path).split(sep).join("/");
    const text = readFileSync(path, "utf8");
    const addBuilt = (node: {
      callee: { type: string };
      arguments: readonly { start: number; end: number }[];
    }): void => {
      if (!("name" in node.callee) || node.callee.name !== "RegExp") return;
      const written = node.arguments.map(({ start, end }) => text.slice(start, end)).join(", ");
      built.push({ file, written: written.replace(/\s+/g, " ") });
    };
    new Visitor({
      Literal(node) {
        if ("regex" in node) literals.push({ file, source: node.regex.pattern, flags: node.regex.flags });
      },
      NewExpression: addBuilt,
      CallExpression: addBuilt,
    }).visit(parseSync(path, text).program);
  }
  return { literals, built };
}
