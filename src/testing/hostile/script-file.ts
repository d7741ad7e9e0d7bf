import { readFileSync } from "node:fs";
import type { HostileScript } from "./script.ts";

/** How a script reaches its process, and where that notes what it saw. */
export interface ScriptFile {
  readonly script: HostileScript;
  readonly log: string;
}

/** The script as this process plays it: only the first of its processes has the faults of `once`. */
export function scriptNow({ script, log }: ScriptFile): HostileScript {
  const isFirst = readFileSync(log, "utf8") === "";
  return isFirst && script.once !== undefined
    ? { ...script, methods: { ...script.methods, ...script.once } }
    : script;
}
