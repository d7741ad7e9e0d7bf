import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, root } from "../cli/command.ts";

const { bundledPackages } = (await import(join(root, "scripts/bundled-packages.mjs"))) as {
  readonly bundledPackages: readonly string[];
};

/** A folder with nothing in it but what a stranger's command puts there. */
const folder = mkdtempSync(join(tmpdir(), "drawbridge-packed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
const home = join(folder, "home");
const installed = join(project, "node_modules/drawbridge-mcp");

/** Where npm gets packages is the developer's to say, as it was when this tree was installed. */
const developer = userInfo().homedir;
const npmSettings = {
  npm_config_userconfig: process.env.npm_config_userconfig ?? join(developer, ".npmrc"),
  npm_config_cache: process.env.npm_config_cache ?? join(developer, ".npm"),
  npm_config_update_notifier: "false",
};

function run(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const env = { ...environment(home), ...npmSettings };
  return spawnSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

beforeAll(() => {
  for (const path of [project, home]) mkdirSync(path);
  const packed = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root);
  const [{ filename }] = JSON.parse(packed.stdout);
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename)];
  const done = run("npm", install, project);
  if (done.status !== 0) throw new Error(`npm install failed:\n${done.stderr}`);
}, 120_000);

test("one command leads from the installed package to a tool's answer", () => {
  writeFileSync(join(project, "hello.txt"), "The bridge is up.\n");
  const program = join(root, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const server = `files=node '${program}' '${project}'`;
  const question = `Read the text file "${join(project, "hello.txt")}"`;
  const { status, stdout, stderr } = run(
    "npx",
    ["--no-install", "drawbridge-mcp", question, "--server", server, "--trust", "files"],
    project,
  );
  expect(stdout).toContain("The bridge is up.");
  expect(stderr).toContain("files/read_text_file");
  expect(status).toBe(0);
});

/** Bytes on a disk that gives every file and folder whole blocks of 4 KiB. */
function bytesOnDisk(path: string): number {
  const block = 4096;
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return sum + block + bytesOnDisk(inside);
    return entry.isFile() ? sum + Math.ceil(statSync(inside).size / block) * block : sum;
  }, 0);
}

test("an install takes at most 30 MB and 60 packages", () => {
  const modules = join(project, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(60);
  expect(bytesOnDisk(modules)).toBeLessThanOrEqual(30_000_000);
});

test("what the published code imports is part of it, of Node, or installed with it", () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, "package.json"), "utf8"),
  );
  const files = readdirSync(join(installed, "dist"), { recursive: true }).map(String);
  const imported = files
    .filter((file) => file.endsWith(".js") || file.endsWith(".d.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(installed, "dist", file), "utf8");
      return [
        ...text.matchAll(/^(?:import|export)\b[^"'`;]*? ?from "([^"./][^"]*)"|\bimport\("([^"./][^"]*)"\)/gm),
      ];
    })
    .map(([, named = "", lazy = ""]) => ({ name: named || lazy, isLazy: named === "" }))
    .filter(({ name }) => !name.startsWith("node:"))
    .map(({ name, isLazy }) => ({ name: name.split("/", name.startsWith("@") ? 2 : 1).join("/"), isLazy }));
  expect(new Set(imported.map(({ name }) => name)).size).toBeGreaterThan(3);
  // Peers may be missing: what needs one must live with that, and types must do without.
  const unknown = imported.filter(
    ({ name, isLazy }) =>
      !Object.hasOwn(dependencies, name) && !(isLazy && Object.hasOwn(peerDependencies, name)),
  );
  expect([...new Set(unknown.map(({ name }) => name))]).toEqual([]);
});

test("the licence of every package whose code is part of ours goes with it", () => {
  const licenses = readFileSync(join(installed, "dist/licenses.txt"), "utf8");
  for (const name of bundledPackages)
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  expect(licenses).toContain("Permission to use, copy, modify, and/or distribute");
});
