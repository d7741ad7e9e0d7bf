// Installs and builds what is missing, and is fast when nothing is.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installedMark = join(root, "node_modules/.drawbridge-installed");
const builtMark = join(root, "dist/.drawbridge-built");

function hash(files) {
  const sum = createHash("sha256");
  for (const file of files)
    sum
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)));
  return sum.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

const marked = (mark) => (existsSync(mark) ? readFileSync(mark, "utf8") : "");

function run(what, command, args) {
  const started = performance.now();
  process.stderr.write(`${what} …`);
  const done = spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) {
    process.stderr.write(` failed\n${done.stdout ?? ""}${done.stderr ?? ""}${done.error ?? ""}\n`);
    process.exit(1);
  }
  process.stderr.write(` ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Leaves a tree with the packages of the lock file, in which `dist/` is what `src/` says unless nothing is to be built. */
export async function prepare({ build: isBuilt = true } = {}) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`Drawbridge needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
    process.exit(1);
  }
  // The lock file alone: another script in package.json installs nothing.
  const wanted = hash(["package-lock.json"]);
  if (marked(installedMark) !== wanted) {
    run("Installing packages", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    writeFileSync(installedMark, wanted);
  }
  if (!isBuilt) return;
  const source = hash([
    ...filesBelow("src"),
    "tsconfig.json",
    "tsconfig.build.json",
    "package-lock.json",
    "scripts/build.mjs",
    "scripts/bundled-packages.mjs",
    "scripts/reachable-declarations.mjs",
  ]);
  if (marked(builtMark) === source) return;
  build(source);
}

/** Compiles beside `dist/` and swaps it in whole: a program that runs from `dist/` never finds half of it. */
function build(source) {
  const built = join(root, "dist");
  const work = mkdtempSync(join(root, "dist.new-"));
  const clean = () => rmSync(work, { recursive: true, force: true });
  process.once("exit", clean);
  const fresh = join(work, "new");
  run("Building", process.execPath, [join(root, "scripts/build.mjs"), fresh]);
  writeFileSync(join(fresh, basename(builtMark)), source);
  if (existsSync(built)) renameSync(built, join(work, "old"));
  renameSync(fresh, built);
  clean();
}

if (process.argv[1] && statSync(process.argv[1]).ino === statSync(fileURLToPath(import.meta.url)).ino) {
  await prepare();
}
