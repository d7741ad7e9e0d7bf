// Packages whose code is part of ours, so that an install stays small: docs/decisions/2026-11-30-install-size.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** With all that they depend on; what is large is loaded when it is first used. */
export const bundledPackages = [
  "@clack/core",
  "@clack/prompts",
  "@noble/hashes",
  "env-paths",
  "fast-string-truncated-width",
  "fast-string-width",
  "fast-wrap-ansi",
  "is-safe-filename",
  "jsonc-parser",
  "minisearch",
  "re2js",
  "sisteransi",
  "smol-toml",
  "yaml",
];

export const isBundled = (specifier) =>
  bundledPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));

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
