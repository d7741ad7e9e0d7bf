import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

const evil = "evil\u001b[2J";
const call = ["call", "notes", "read_note", "path=a.txt"];

function project() {
  return projectFolder({
    notes: { ...fixtureServer(), env: { NODE_OPTIONS: "--no-warnings", API_TOKEN: "a-literal-token" } },
    [evil]: { command: "echo", args: ["\u202e", "x y"] },
  });
}

test("a project's server is not started before somebody agreed, and is started from then on", async () => {
  const home = homeFolder();
  const folder = project();
  const before = await drawbridge(call, home, folder);
  expect(before.code).toBe(3);
  expect(before.stdout).toBe("");
  expect(before.stderr).toContain("drawbridge trust notes");

  const trusted = await drawbridge(["trust", "notes", "--yes"], home, folder);
  expect(trusted.code).toBe(0);
  for (const shown of ["server.mjs plain", folder, "NODE_OPTIONS=--no-warnings", ".mcp.json:3"]) {
    expect(trusted.stderr).toContain(shown);
  }
  expect(trusted.stderr).toContain("API_TOKEN=⟨15 chars⟩");
  expect(await drawbridge(call, home, folder)).toMatchObject({
    code: 0,
    stdout: "read_note: a.txt says hello\n",
  });
});

test("the doctor starts no server that waits for an agreement, and says with its exit code that one does", async () => {
  const home = homeFolder();
  const folder = projectFolder({ notes: { command: "no-such-command-here" } });
  const { code, stdout } = await drawbridge(["doctor"], home, folder);
  expect(stdout).toMatch(/! Server "notes" .*: not started, .* drawbridge trust notes\n/);
  expect(code).toBe(3);
});

test("a config that changed is asked about again, and the change is told", async () => {
  const home = homeFolder();
  const folder = project();
  await drawbridge(["trust", "notes", "--yes"], home, folder);
  const path = join(folder, ".mcp.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("--no-warnings", "--no-deprecation"));
  const changed = await drawbridge(call, home, folder);
  expect(changed.code).toBe(3);
  const again = await drawbridge(["trust", "notes", "--yes"], home, folder);
  expect(again.stderr).toMatch(/you agreed to a server "notes" of this file, and it has changed since/);
});

test("without a terminal nobody can be asked, and nothing is agreed to", async () => {
  const home = homeFolder();
  const folder = project();
  const asked = await drawbridge(["trust", "notes"], home, folder);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain("drawbridge trust --yes notes");
  expect((await drawbridge(call, home, folder)).code).toBe(3);
});

test("what a project's file writes is shown with everything dangerous visible, and its name can be typed so", async () => {
  const home = homeFolder();
  const folder = project();
  const { code, stderr } = await drawbridge(["trust", "evil\\u001b[2J", "--yes"], home, folder);
  expect(stderr).toContain('echo "\\u202e" "x y"');
  expect(stderr).not.toMatch(/[\u001b\u202e]/);
  expect(code).toBe(0);
});

test.each(["-x", "--yes", "it's $(id)"])(
  "a server of the id %j is agreed to by the very line that is shown",
  async (id) => {
    const home = homeFolder();
    const folder = projectFolder({ [id]: fixtureServer() });
    const { stderr } = await drawbridge(["trust", "--", id], home, folder);
    const [, line = ""] = /If you agree: drawbridge (.*)$/m.exec(stderr) ?? [];
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
    expect(await drawbridge(words.trimEnd().split("\n"), home, folder)).toMatchObject({ code: 0 });
    expect(JSON.parse((await drawbridge(["trust", "--json"], home, folder)).stdout)).toMatchObject({
      pending: [],
      agreements: [{ server: id }],
    });
  },
);

test("two ids that look the same are told: only one of them can be named", async () => {
  const folder = projectFolder({ "a\nb": fixtureServer(), "a\\nb": fixtureServer() });
  const { stderr } = await drawbridge(["trust"], homeFolder(), folder);
  expect(stderr).toBe('! 2 servers have ids that are shown as "a\\nb": give them other names.\n');
});

test("the list tells what waits and what was agreed to, and untrust takes it back", async () => {
  const home = homeFolder();
  const folder = project();
  await drawbridge(["trust", "notes", "--yes", "--annotations"], home, folder);
  const list = await drawbridge(["trust"], home, folder);
  expect(list.stdout).toMatch(
    /Waiting[\s\S]*"evil\\u001b\[2J"[\s\S]*Agreed\n {2}"notes".*annotations are believed/,
  );
  const json = JSON.parse((await drawbridge(["trust", "--json"], home, folder)).stdout);
  expect(json.pending.map((one: { server: string }) => one.server)).toEqual([evil]);
  expect(json.agreements).toMatchObject([{ server: "notes", annotations: true }]);

  expect((await drawbridge(["untrust", "nots"], home, folder)).stderr).toContain('Did you mean "notes"?');
  const taken = await drawbridge(["untrust", "notes", "--json"], home, folder);
  expect(JSON.parse(taken.stdout)).toEqual({ server: "notes", withdrawn: 1 });
  expect((await drawbridge(call, home, folder)).code).toBe(3);
});

test("a server of one's own needs no agreement; believing it belongs into its file", async () => {
  const home = homeFolder();
  const folder = projectFolder({});
  const file = join(folder, "mine.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: fixtureServer() } }));
  const trust = ["trust", "notes", "--config", file];
  expect(await drawbridge(trust, home, folder)).toMatchObject({ code: 0 });
  const annotations = await drawbridge([...trust, "--annotations"], home, folder);
  expect(annotations.code).toBe(2);
  expect(annotations.stderr).toContain('"trust": true');
});
