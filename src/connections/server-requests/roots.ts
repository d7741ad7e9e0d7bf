import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A folder or file as servers are told of it (MCP `Root`). */
export interface Root {
  readonly uri: string;
  readonly name: string;
}

/** Absolute `file:` URIs of the configured paths. A path that holds a secret is left out: servers get no secrets. */
export function rootsOf(paths: readonly string[], redact: (text: string) => string): readonly Root[] {
  return paths
    .map((path) => resolve(path))
    .filter((path) => redact(path) === path)
    .map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path }));
}
