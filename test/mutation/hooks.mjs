// Lets Node load the project's tests as they are: types are blanked out, and the two packages that tests are written with
// are replaced by those beside this file.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const stand = {
  vitest: new URL("expect.mjs", import.meta.url).href,
  "fast-check": new URL("properties.mjs", import.meta.url).href,
};

registerHooks({
  resolve(specifier, context, next) {
    const url = Object.hasOwn(stand, specifier) ? stand[specifier] : null;
    return url === null || url === context.parentURL ? next(specifier, context) : { url, shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
    return { format: "module", source, shortCircuit: true };
  },
});
