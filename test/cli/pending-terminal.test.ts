import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, homeFolder, root } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

/** `script` of util-linux gives the command a terminal of its own. */
const terminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const main = join(root, "dist/cli/main.js");
const enter = "\r";
const ctrlC = "\u0003";

/** Calls a tool of a project's server in a terminal; `keys` are pressed, one after the other, when the question is there. */
function callAtTerminal(
  home: string,
  folder: string,
  keys: readonly string[],
  early = "",
): Promise<{ code: number | null; screen: string }> {
  const command = `stty cols 100 rows 40; node '${main}' call notes read_note path=a.txt`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: folder,
    env: { ...environment(home), TERM: "xterm-256color", SHELL: "/bin/sh" },
  });
  let screen = "";
  let asked = 0;
  const left = [...keys];
  child.stdin.write(early);
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    const at = screen.indexOf("[n] not now", asked);
    if (at < 0) return;
    asked = at + 1;
    child.stdin.write(left.shift() ?? "");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });
}

test.runIf(terminals)(
  "a project's server is asked about once: agreed to, it starts, and starts from then on",
  async () => {
    const home = homeFolder();
    const folder = projectFolder({ notes: fixtureServer() });
    const first = await callAtTerminal(home, folder, ["y"]);
    expect(first.screen).toMatch(/server\.mjs plain[\s\S]*Start "notes" on this computer\?/);
    expect(first.screen).toContain("a.txt says hello");
    expect(first.code).toBe(0);
    const second = await callAtTerminal(home, folder, []);
    expect(second.screen).not.toContain("on this computer?");
    expect(second.screen).toContain("a.txt says hello");
  },
);

test.runIf(terminals)(
  "neither Enter nor a key that was typed ahead starts anything; n leaves it out",
  async () => {
    const folder = projectFolder({ notes: fixtureServer() });
    const { code, screen } = await callAtTerminal(homeFolder(), folder, [enter, "\u0004", "n"], "y");
    expect(screen).toContain("Press a letter. (Enter is neither.)");
    expect(screen).toContain("(Ctrl-D is neither.)");
    expect(screen).toContain("left out this time");
    expect(screen).not.toContain("says hello");
    expect(code).toBe(3);
  },
);

test.runIf(terminals)(
  "Ctrl-C at the question leaves, starts nothing, and gives the keyboard back",
  async () => {
    const { code, screen } = await callAtTerminal(homeFolder(), projectFolder({ notes: fixtureServer() }), [
      ctrlC,
    ]);
    expect(screen).not.toContain("says hello");
    expect(screen.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(screen.lastIndexOf("\u001b[?2004h"));
    expect(code).toBe(130);
  },
);
