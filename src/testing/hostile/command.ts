import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execPath } from "node:process";

import { isObject } from "../../util/own.ts";
import type { HostileScript, Seen } from "./script.ts";
import { type HostileCase, scriptOfCase } from "./script-of-case.ts";

/** A hostile server as a host starts it. */
export interface HostileServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** What the case's own configuration adds to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What all processes of this command saw so far, in order. */
  seen(): readonly Seen[];
  /** Removes its files. */
  remove(): void;
}

export interface HostileServerOptions {
  /** Default: `legacy`, which knows `initialize` only. */
  readonly era?: HostileScript["era"];
  /** Handed to the process behind its own arguments; it reports them. */
  readonly args?: readonly string[];
}

/** The compiled process: a plain `node` cannot run the source, and the package ships only what is compiled. */
function entry(): string {
  const manifest = createRequire(import.meta.url).resolve("drawbridge-mcp/package.json");
  return join(dirname(manifest), "dist/testing/hostile/stdio-main.js");
}

function stringMembers(value: unknown): Record<string, string> {
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.filter((member): member is [string, string] => typeof member[1] === "string"),
  );
}

/**
 * The command of a server that plays a case of type `server`, `tools` or `result` over standard input and output. The
 * script lies in a temporary folder until `remove()`.
 */
export function hostileServerCommand(
  hostileCase: HostileCase,
  options: HostileServerOptions = {},
): HostileServerCommand {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-hostile-"));
  const [file, log] = [join(folder, "script.json"), join(folder, "seen.jsonl")];
  writeFileSync(file, JSON.stringify({ script: scriptOfCase(hostileCase, options.era), log }));
  writeFileSync(log, "");
  const config = isObject(hostileCase.config) ? hostileCase.config : {};
  return {
    command: execPath,
    args: [entry(), file, ...(options.args ?? [])],
    env: stringMembers(config.env),
    seen() {
      const lines = readFileSync(log, "utf8").split("\n");
      return lines.slice(0, -1).map((line) => JSON.parse(line) as Seen);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
