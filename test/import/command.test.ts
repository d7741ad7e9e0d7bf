import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, environment, homeFolder, root } from "../cli/command.ts";
import { home as fixtureHome, project as fixtureProject } from "./fixtures.ts";

/** A home folder with the fixtures in it, a project, and where the files would be written. */
function setUp() {
  const home = homeFolder();
  const cwd = join(home, "work");
  cpSync(fixtureHome, home, { recursive: true });
  cpSync(fixtureProject, cwd, { recursive: true });
  return {
    home,
    cwd,
    userFile: join(home, "config/drawbridge.json"),
    projectFile: join(cwd, "drawbridge.json"),
  };
}

test("without a choice everything is listed and nothing is written", async () => {
  const { home, cwd, userFile } = setUp();
  const listed = await drawbridge(["import"], home, cwd);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toContain(`  Cursor: ${home}/.cursor/mcp.json\n`);
  expect(listed.stdout).toContain('{"command":"uvx","args":["weather-mcp","--units","metric"]}');
  expect(listed.stdout).toContain("✗ Cannot be imported. It is a part of Goose itself.");
  expect(listed.stdout).toContain("Nothing was written. To write them: drawbridge import --all");
  expect(listed.stdout).not.toContain("SECRET-");
  expect(existsSync(userFile)).toBe(false);
});

test("what is chosen by host or by id is written to the person's file, with variables for its secrets", async () => {
  const { home, cwd, userFile } = setUp();
  const some = await drawbridge(["import", "--from", "vs-code", "--from", "Zed", "--all"], home, cwd);
  expect(some.code).toBe(0);
  expect(some.stdout).toContain(`servers were written to ${userFile}: perplexity, playwright`);
  expect(some.stdout).toMatch(/drawbridge doctor\n$/);
  const one = await drawbridge(["import", "--id", "with spaces.and dots", "--id", "playwright"], home, cwd);
  expect(one.stdout).toContain("1 server was written");
  expect(one.stdout).toContain("There already, unchanged: playwright");
  expect(one.stdout).not.toContain("perplexity");
  const text = readFileSync(userFile, "utf8");
  expect(text).toContain('"Authorization": "Bearer ${WITH_SPACES_AND_DOTS_AUTHORIZATION}"');
  expect(text).not.toContain("SECRET-");
});

test("into a project's file the servers of the project stay relative, and it is said that they are pending", async () => {
  const { home, cwd, projectFile, userFile } = setUp();
  const written = await drawbridge(["import", "--project", "--id", "index"], home, cwd);
  expect(written.stdout).toContain("pending until you agreed: drawbridge trust ID");
  expect(readFileSync(projectFile, "utf8")).toContain('"command": "${workspaceFolder}/bin/index"');
  expect(existsSync(userFile)).toBe(false);
});

test("what a project's files name is not put into the person's own file with everything else, but by its id or into the project's", async () => {
  const { home, cwd, userFile, projectFile } = setUp();
  const all = await drawbridge(["import", "--all", "--from", "claude-code", "--from", "cursor"], home, cwd);
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/Left out, because the project's own files name them/);
  expect(all.stdout).toContain("  notes: Drawbridge reads this file by itself\n");
  expect(all.stdout).toContain("  index: only with --id or --project\n");
  const written = readFileSync(userFile, "utf8");
  expect(written).toContain('"weather"');
  for (const id of ["notes", "index"]) expect(written).not.toContain(`"${id}":`);
  const only = await drawbridge(["import", "--all", "--from", "cursor", "--json", "--dry-run"], home, cwd);
  expect(JSON.parse(only.stdout)).toMatchObject({ leftOut: ["index"] });
  const project = await drawbridge(["import", "--all", "--project", "--from", "cursor"], home, cwd);
  expect(project.stdout).not.toContain("Left out, because");
  expect(readFileSync(projectFile, "utf8")).toContain('"index"');
  expect((await drawbridge(["import", "--id", "index"], home, cwd)).code).toBe(0);
  expect(readFileSync(userFile, "utf8")).toContain('"index"');
});

test("a dry run and JSON say the same and write nothing", async () => {
  const { home, cwd, userFile } = setUp();
  const dry = await drawbridge(["import", "--dry-run", "--id", "weather"], home, cwd);
  expect(dry.stdout).toContain(`1 server would be written to ${userFile}: weather`);
  const json = await drawbridge(["import", "--dry-run", "--all", "--json"], home, cwd);
  const report: unknown = JSON.parse(json.stdout);
  expect(report).toMatchObject({ file: userFile, dryRun: true, problems: [], replaced: [] });
  expect(report).toMatchObject({ added: expect.arrayContaining(["weather", "figma-codex"]) });
  expect(existsSync(userFile)).toBe(false);
});

test.each([
  [["--id", "wether"], 'No server with the id "wether" was found. Did you mean "--id weather"?'],
  [["--id", "developer"], '"developer" cannot be imported. It is a part of Goose itself.'],
  [["--from", "Curser"], 'Did you mean "--from Cursor"?'],
])("%j is a mistake that is told in one line", async (words, message) => {
  const { home, cwd } = setUp();
  const failed = await drawbridge(["import", ...words], home, cwd);
  expect(failed).toMatchObject({ code: 2, stdout: "" });
  expect(failed.stderr.trim().split("\n")).toEqual([expect.stringContaining(message)]);
});

test("a server of mine is not replaced unless that is forced", async () => {
  const { home, cwd, userFile } = setUp();
  const mine = '{ "mcpServers": { "weather": { "command": "mine" } } } // mine';
  mkdirSync(join(home, "config"));
  writeFileSync(userFile, mine);
  const refused = await drawbridge(["import", "--all"], home, cwd);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    'other servers with the ids "weather". Nothing was written; --force replaces them.',
  );
  expect(readFileSync(userFile, "utf8")).toBe(mine);
  expect((await drawbridge(["import", "--id", "weather", "--force"], home, cwd)).code).toBe(0);
  expect(readFileSync(userFile, "utf8")).toMatch(/"uvx"[\s\S]*\/\/ mine/);
});

test("everything from a file is printed so that nothing in it can act on the terminal", async () => {
  const { home, cwd } = setUp();
  const id = "a\u001b]52;c;x\u0007\u202e";
  writeFileSync(
    join(home, ".cursor/mcp.json"),
    JSON.stringify({ mcpServers: { [id]: { command: id, [id]: 1, args: [{}] } } }),
  );
  writeFileSync(join(home, ".codex/config.toml"), "[");
  for (const words of [["--from", "Cursor"], ["--from", "Cursor", "--all"], ["--json"], ["--id", `${id}x`]]) {
    const { stdout, stderr } = await drawbridge(["import", ...words], home, cwd);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (words.includes("--json"))
      expect(JSON.parse(stdout)).toMatchObject({ problems: [expect.stringContaining("config.toml:1:2")] });
  }
});

test("init makes a project's file that loads, says what is next, and never writes over one", async () => {
  const { home, cwd, projectFile } = setUp();
  const made = await drawbridge(["init"], home, cwd);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain(
    `${projectFile} was made.\nOther hosts have servers for it: drawbridge import --project\n`,
  );
  for (const next of ["drawbridge trust", "drawbridge doctor", "drawbridge chat"])
    expect(made.stdout).toContain(`  ${next}`);
  rmSync(join(cwd, ".mcp.json"));
  expect(await drawbridge(["config"], home, cwd)).toMatchObject({ code: 0 });
  const text = readFileSync(projectFile, "utf8");
  expect(text).toContain("drawbridge trust ID");
  const again = await drawbridge(["init"], home, cwd);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain(
    `${projectFile} is there already. It was not changed: edit it, or remove it.`,
  );
  expect(readFileSync(projectFile, "utf8")).toBe(text);
});

test("init --user makes the person's own file, where no agreement is needed", async () => {
  const home = homeFolder();
  const made = await drawbridge(["init", "--user"], home, home);
  expect(made.code).toBe(0);
  expect(made.stdout).not.toContain("trust");
  expect(made.stdout).not.toContain("Other hosts");
  expect(readFileSync(join(home, "config/drawbridge.json"), "utf8")).toContain('"mcpServers"');
});

test.runIf(process.platform === "linux")(
  "a config that a full disk did not take whole leaves nothing behind",
  async () => {
    const home = homeFolder();
    const limited = ["-c", `ulimit -f 0; exec node '${join(root, "dist/cli/main.js")}' init --user`];
    const { status, stderr } = spawnSync("sh", limited, {
      cwd: home,
      env: environment(home),
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect(existsSync(join(home, "config/drawbridge.json"))).toBe(false);
  },
);
