import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom, besides itself: the table of ARCHITECTURE.md. A file in `src/` itself is a layer of its own. */
const shared = ["types", "errors", "util"];
const allowed: Readonly<Record<string, readonly string[] | "everything">> = {
  types: [],
  errors: ["types"],
  util: ["types", "errors"],
  config: shared,
  connections: shared,
  catalog: shared,
  models: shared,
  calls: shared,
  consent: shared,
  execution: shared,
  results: shared,
  transcript: shared,
  audit: shared,
  budget: shared,
  telemetry: shared,
  stores: shared,
  loop: shared,
  testing: shared,
  host: "everything",
  index: "everything",
  version: [],
  cli: ["index", "types", "testing", "errors", "util", "version"],
};

/** Layers that also run where there is no Node: no `node:` module, no `Buffer`, no `process`. */
const portable = new Set(
  "types errors util catalog models calls consent execution results transcript audit budget telemetry loop".split(
    " ",
  ),
);

/** What uses the library, as other programs do: `index` is not made of it. */
const hostOnly = new Set(["cli", "testing"]);

const root = resolve(import.meta.dirname, "../src");

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

function layerOf(path: string): string {
  const [first = ""] = relative(root, path).split(sep);
  return first.replace(/\.ts$/, "");
}

function importsOf(source: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;
  return [...source.matchAll(pattern)].map((found) => found[1] ?? "");
}

/** Breaches of the rules in one file, as sentences. */
function breaches(path: string, source: string): string[] {
  const layer = layerOf(path);
  const may = allowed[layer];
  if (may === undefined) return [`${layer} is no layer`];
  const found: string[] = [];
  for (const specifier of importsOf(source)) {
    if (specifier.startsWith("node:") && portable.has(layer)) found.push(`${layer} imports ${specifier}`);
    if (!specifier.startsWith(".")) continue;
    const target = layerOf(resolve(dirname(path), specifier));
    if (target === layer || may === "everything" || may.includes(target)) {
      if (!(layer === "index" && hostOnly.has(target))) continue;
    }
    found.push(`${layer} imports ${target}`);
  }
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm, "");
  for (const name of ["Buffer", "process"]) {
    if (portable.has(layer) && new RegExp(`(?<![.\\w])${name}\\b(?!\\s*[:?])`).test(code)) {
      found.push(`${layer} uses the global ${name}`);
    }
  }
  if (layer !== "config" && /\bprocess\.env\b/.test(code)) found.push(`${layer} reads process.env`);
  return found;
}

test("every file imports only what its layer may", () => {
  const found = sourceFiles(root).flatMap((path) =>
    breaches(path, readFileSync(path, "utf8")).map((breach) => `${relative(root, path)}: ${breach}`),
  );
  expect(found).toEqual([]);
});

test("a stage that imports another stage is found", () => {
  expect(breaches(join(root, "calls/x.ts"), 'import { y } from "../consent/y.ts";')).toEqual([
    "calls imports consent",
  ]);
});

test("a portable layer that uses Node is found", () => {
  const source =
    'import { readFileSync } from "node:fs";\nexport const x = Buffer.from(process.env.X ?? "");';
  expect(breaches(join(root, "results/x.ts"), source)).toEqual([
    "results imports node:fs",
    "results uses the global Buffer",
    "results uses the global process",
    "results reads process.env",
  ]);
});

test("no file is longer than 300 lines", () => {
  const long = sourceFiles(root)
    .map((path) => ({ path: relative(root, path), lines: readFileSync(path, "utf8").split("\n").length }))
    .filter((file) => file.lines > 301);
  expect(long).toEqual([]);
});
