// Compiles src/ into a folder: declarations file by file, code as a few modules. `node scripts/build.mjs [FOLDER]`
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = resolve(root, process.argv[2] ?? "dist");

/** What a program may import or start. */
const entries = ["index", "cli/main", "testing/index", "testing/hostile/stdio-main"];

const compiler = join(root, "node_modules/typescript/bin/tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", out], {
  cwd: root,
  stdio: "inherit",
});
if (compiled.status !== 0) process.exit(1);

// Two hundred small modules take a fifth of a second to load, one takes a twentieth; packages stay outside.
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, join(out, `${entry}.js`)])),
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith(root),
});
const { output } = await bundle.write({
  dir: out,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  comments: false,
});
const written = new Set(output.map(({ fileName }) => fileName));
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = relative(out, path).split("\\").join("/");
  if (name.endsWith(".js") && !written.has(name)) rmSync(path);
}
