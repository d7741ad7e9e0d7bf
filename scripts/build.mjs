// Compiles src/ into a folder: declarations file by file, code as a few modules. `node scripts/build.mjs [FOLDER]`
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { isBundled, licenseTexts } from "./bundled-packages.mjs";
import { reachableDeclarations } from "./reachable-declarations.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = resolve(root, process.argv[2] ?? "dist");

/** What a program may import. */
const imported = ["index", "testing/index"];
/** What may be started. */
const started = ["cli/main", "testing/hostile/stdio-main", "testing/hostile/http-main"];

const compiler = join(root, "node_modules/typescript/bin/tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", out], {
  cwd: root,
  stdio: "inherit",
});
if (compiled.status !== 0) process.exit(1);

/** Says of an import as it is written whether it names a package that stays one. */
const isOutside = (specifier) => !/^[./]|^[a-z]:[\\/]/i.test(specifier) && !isBundled(specifier);

/** Characters beyond ASCII as escapes: engines keep a source with a single one of them at two bytes a character. */
const escaped = (code) =>
  code.replace(/(\\*)([\u0080-\uffff])/g, (_, slashes, character) => {
    // A character that needs no backslash may have one.
    const kept = slashes.slice(slashes.length % 2);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

// Two hundred small modules take a fifth of a second to load, one takes a twentieth; most packages stay outside.
const bundle = await rolldown({
  input: Object.fromEntries([...imported, ...started].map((entry) => [entry, join(out, `${entry}.js`)])),
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  external: (specifier, _importer, isResolved) => !isResolved && isOutside(specifier),
});
const { output } = await bundle.write({
  dir: out,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  comments: false,
  plugins: [
    {
      name: "minify-packages",
      // Our own code stays readable where it is installed; that of packages is read at its source. Lines stay lines,
      // because Node shows the one that threw.
      renderChunk(code, { name, moduleIds }) {
        const isOthers = moduleIds.length > 0 && moduleIds.every((id) => id.includes("node_modules"));
        const codegen = { removeWhitespace: false };
        return isOthers ? minifySync(`${name}.js`, code, { module: true, codegen }).code : null;
      },
    },
  ],
});

for (const { fileName, code } of output) writeFileSync(join(out, fileName), escaped(code));
writeFileSync(join(out, "licenses.txt"), licenseTexts(root));
const written = new Set(output.map(({ fileName }) => fileName));
const reachable = reachableDeclarations(out, imported);
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = relative(out, path).split("\\").join("/");
  const isLeft = name.endsWith(".d.ts") ? !reachable.has(path) : name.endsWith(".js") && !written.has(name);
  if (isLeft) rmSync(path);
}
