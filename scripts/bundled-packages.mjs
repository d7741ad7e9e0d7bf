// Packages whose code is part of ours, so that an install stays small: docs/decisions/2026-11-30-install-size.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Each is loaded when it is first used, and has no dependencies. */
export const bundledPackages = ["jsonc-parser", "minisearch", "smol-toml", "yaml"];

/** The licence of every bundled package, which goes where its code goes. */
export function licenseTexts(root) {
  return bundledPackages
    .map((name) => {
      const folder = join(root, "node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} has no licence text to pass on`);
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}
