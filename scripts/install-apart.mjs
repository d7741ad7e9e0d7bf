// Installs what one script alone needs, with a Node of its own, in a folder that goes with the lock file: nothing else of
// the project should pay for it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./copy-tree.mjs";

/**
 * `from` is a folder with a package.json and its lock file, `name` that of the folder in node_modules/.cache, `options`
 * more of npm's. Throws an Error with a sentence for people. Returns the path of a Node 22 or newer and the folder of the
 * packages.
 */
export function installApart(from, name, options = []) {
  const lock = readFileSync(join(from, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const place = join(root, "node_modules/.cache", `${name}-${hash}`);
  const packages = join(place, "node_modules");
  if (!existsSync(join(packages, ".package-lock.json"))) {
    console.log(`installing what ${name} needs`);
    mkdirSync(place, { recursive: true });
    cpSync(from, place, { recursive: true });
    const command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...options];
    const { status, stdout, stderr } = spawnSync("npm", command, {
      cwd: place,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`What ${name} needs cannot be installed:\n${stdout}${stderr}`);
  }
  return { node: newerNode(packages), packages };
}

function newerNode(packages) {
  const [platform] = readdirSync(packages).filter((name) => name.startsWith("node-"));
  if (platform !== undefined) {
    return join(packages, platform, "bin", process.platform === "win32" ? "node.exe" : "node");
  }
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  throw new Error("Node 22 is needed, which npm does not have for this machine.");
}
