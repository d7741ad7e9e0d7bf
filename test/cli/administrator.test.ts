import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, type Finished, homeFolder, root } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

const home = homeFolder();
const folder = projectFolder({});
const place = "/etc/drawbridge/policy.json";
const file = join(folder, "policy.json");
const preload = join(root, "test/cli/fixtures/administrator-file.mjs");

/** The command on a computer with such a file of its administrator's. */
function governed(content: string, argv: readonly string[], more: object = {}): Promise<Finished> {
  writeFileSync(file, content);
  const args = ["--import", preload, join(root, "dist/cli/main.js"), ...argv];
  const env = { ...environment(home), ADMINISTRATOR_FILE: file, ...more };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...texts })));
}

mkdirSync(join(home, "config"), { recursive: true });
writeFileSync(
  join(home, "config/drawbridge.json"),
  JSON.stringify({
    mcpServers: { notes: { ...fixtureServer(), trust: true } },
    policy: { rules: ["allow notes/*"], flows: "off" },
  }),
);

const rules = `{
  // for everybody here
  "policy": { "rules": ["deny notes/read_note @message=\\"Ask the desk.\\""] },
}`;

test("no file, option or variable of a user gets around an administrator's rule", async () => {
  const named = join(folder, "named.json");
  writeFileSync(named, JSON.stringify({ mcpServers: { notes: fixtureServer() } }));
  const ways: readonly (readonly [string[], object?])[] = [
    [[]],
    [["--allow", "notes/read_note"]],
    [["--config", named]],
    [["--server", `notes=node ${fixtureServer().args[0]} plain`]],
    [[], { XDG_CONFIG_DIRS: folder, XDG_CONFIG_HOME: folder, PROGRAMDATA: folder }],
  ];
  const ends = await Promise.all(
    ways.map(([words, more]) => governed(rules, ['Read the note "a.txt"', ...words], more)),
  );
  for (const { stderr } of ends) expect(stderr).toContain("Ask the desk.");
  const direct = await governed(rules, ["call", "notes", "read_note", "path=a"]);
  expect(direct.stdout).not.toContain("says hello");
});

test("what it says is shown with where it stands", async () => {
  const [config, explained] = [
    await governed(rules, ["config"]),
    await governed(rules, ["policy", "explain", "notes", "read_note", "path=a"]),
  ];
  expect(config.stdout).toContain(`  ${place} (administrator)\n`);
  expect(config.stdout).toMatch(new RegExp(`administrator rule +deny notes/read_note .* ${place}:3\n`));
  expect(explained.stdout).toContain(`decides (administrator, ${place}:3)`);
  const doctor = await governed(rules, ["doctor", "--json"]);
  expect(JSON.parse(doctor.stdout).configFiles).toContainEqual({
    ...{ path: place, scope: "administrator", found: true },
  });
});

test("a broken file stops every command that would start something, by its place", async () => {
  const broken = rules.replace("deny ", "dney ");
  const commands = [["Say hello"], ["call", "notes", "read_note", "path=a"], ["policy", "check"]];
  const ends = await Promise.all(commands.map((argv) => governed(broken, argv)));
  for (const { code, stdout, stderr } of ends) {
    expect(stderr).toContain(`drawbridge: ${place}:3:25: The rule \`dney notes/read_note`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  }
  const doctor = await governed(broken, ["doctor"]);
  expect(doctor.stdout).toContain(`✗ ${place}:3:25: The rule`);
  const paths = await governed(broken, ["paths"]);
  expect(paths.stdout).toMatch(new RegExp(`administrator's rules +${place}\n`));
});
