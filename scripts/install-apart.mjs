// Installs what one script alone needs, with a Node of its own, in a folder that goes with the lock file: nothing else of
// the project should pay for it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./copy-tree.mjs";

/**
 * `from` is a folder with a package.json and its lock file, `name` that of the folder in node_modules/.cache, `least`
 * the version of Node that is needed. Throws an Error with a sentence for people. Returns the path of such a Node and the
 * folder of the packages.
 */
export function installApart(from, name, { least = 22 } = {}) {
  const lock = readFileSync(join(from, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const place = join(root, "node_modules/.cache", `${name}-${hash}`);
  const packages = join(place, "node_modules");
  if (!existsSync(join(packages, ".package-lock.json"))) {
    console.log(`installing what ${name} needs`);
    mkdirSync(place, { recursive: true });
    cpSync(from, place, { recursive: true });
    const command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { status, stdout, stderr } = spawnSync("npm", command, {
      cwd: place,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`What ${name} needs cannot be installed:\n${stdout}${stderr}`);
  }
  return { node: newerNode(packages, least), packages };
}

function newerNode(packages, least) {
  const [platform] = readdirSync(packages).filter((name) => name.startsWith("node-"));
  if (platform !== undefined) {
    return join(packages, platform, "bin", process.platform === "win32" ? "node.exe" : "node");
  }
  if (Number(process.versions.node.split(".")[0]) >= least) return process.execPath;
  throw new Error(`Node ${least} is needed, which npm does not have for this machine.`);
}
