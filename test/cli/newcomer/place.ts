import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { withoutTimes } from "../chat/tmux.ts";
import { root } from "../command.ts";

/** What a newcomer has: a home, a project, another host's servers, and the command. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Rows in which nothing depends on the machine, the moment or the version. */
  normal(rows: readonly string[]): string[];
}

/** As long as the real folder, so that no line is broken elsewhere. */
const shownBase = "/home/a/newcomer0000";

/** A server of the project: the example, by a path that is as long on every machine. */
const projectServers = `{
  "mcpServers": {
    "workspace": { "command": "node", "args": ["server.mjs", "."], "env": { "TEAM": "\${TEAM:-none}" } }
  }
}
`;

const otherHost = {
  mcpServers: {
    search: {
      command: "npx",
      args: ["-y", "search-server@1.2.0"],
      env: { SEARCH_TOKEN: "tok-5f2c90e1b7d4" },
    },
    wiki: { url: "https://wiki.example.com/mcp" },
  },
};

/** Makes places. Called at the top of a test file; they are gone when its tests are done. */
export function newcomersPlaces(): (more?: Readonly<Record<string, string>>) => Place {
  const bases: string[] = [];
  afterAll(() => {
    for (const base of bases) rmSync(base, { recursive: true, force: true });
  });
  return (more = {}) => {
    // Not the folder for temporary files of the tests: its name is longer on some machines than on others.
    const base = mkdtempSync("/tmp/newcomer-");
    bases.push(base);
    return makePlace(base, more);
  };
}

function makePlace(base: string, more: Readonly<Record<string, string>>): Place {
  const [home, project, bin] = ["h", "p", "b"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [project, bin, join(home, ".cursor")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, ".cursor/mcp.json"), JSON.stringify(otherHost));
  writeFileSync(join(project, ".mcp.json"), projectServers);
  writeFileSync(join(project, "a.txt"), "The bridge is up.\n");
  symlinkSync(join(root, "examples/workspace-server/server.mjs"), join(project, "server.mjs"));
  const command = join(bin, "drawbridge");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "dist/cli/main.js")}' "$@"\n`);
  chmodSync(command, 0o755);
  const PATH = `${bin}:${process.env.PATH ?? ""}`;
  return {
    home,
    project,
    environment: { PATH, HOME: home, ...more },
    normal: (rows) => withoutTimes(readyAtOnce(withBase(rows, base)).map(normalRow)).filter(isOurs),
  };
}

/** A terminal may have broken the path at its edge, and set the colour anew. */
const broken = "\n(?:\\u001b\\[[0-9;]*m)*";

function withBase(rows: readonly string[], base: string): string[] {
  const path = new RegExp(Array.from(base, (character) => `(${character})`).join(`(?:${broken})?`), "g");
  const shown = (found: string): string => {
    let at = 0;
    const letters = new RegExp(`${broken}|.`, "g");
    return found.replace(letters, (one) => (one.startsWith("\n") ? one : (shownBase[at++] ?? "")));
  };
  return rows.join("\n").replace(path, shown).split("\n");
}

/** The first screen of a chat does not wait for a slow server, and on a busy computer any server is slow. */
function readyAtOnce(rows: readonly string[]): string[] {
  const late = /\(starting\)\n[^\n]*server workspace: ready after [^\n]*, 3 tools, [^\n]*\n/;
  return rows.join("\n").replace(late, "(3 tools)\n").split("\n");
}

function normalRow(row: string): string {
  return row
    .replace(/(Drawbridge\S* )\d+\.\d+\.\d+\S*/, "$1VERSION")
    .replace(/(Node )\d+\.\d+\.\d+\S*/, "$1VERSION")
    .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "DATE")
    .replace(/\d+(?:\.\d+)? GB free/, "SIZE free");
}

/** Whether a local model server runs is the machine's own business. */
const isOurs = (row: string): boolean => !/Ollama|llama\.cpp|LM Studio/.test(row);
