import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testProject } from "./project.ts";

const stdio = (command: string, others: object = {}) => ({ command, ...others });
const only = (id: string, entry: object) => ({ mcpServers: { [id]: entry } });

test("a server of drawbridge.json replaces that of .mcp.json, and the person's replaces both", async () => {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: stdio("one", { args: ["x"] }), b: stdio("one") } });
  project.write("drawbridge.json", { mcpServers: { a: stdio("two"), c: stdio("two") } });
  const commands = async () =>
    (await project.load()).servers.map(({ id, config }) => [id, "command" in config && config.command]);
  expect(await commands()).toEqual([
    ["a", "two"],
    ["b", "one"],
    ["c", "two"],
  ]);
  project.writeUser(only("a", stdio("three")));
  const [a] = (await project.load()).servers;
  expect(a).toMatchObject({ pending: false, origin: { type: "user", line: 1 } });
  expect(a?.written).toEqual({ type: "stdio", command: "three" });
});

test("an entry without command and url adds its keys, and the server stays the project's", async () => {
  const project = testProject();
  project.write(".mcp.json", only("a", stdio("one", { args: ["x"] })));
  project.write("drawbridge.json", only("a", { timeout: 5, tools: ["read_*"] }));
  project.writeUser(only("a", { timeout: 7, required: false, protocol: "legacy", trust: true }));
  const [a] = (await project.load()).servers;
  expect(a).toMatchObject({
    pending: true,
    origin: { type: "project", file: join(project.folder, ".mcp.json") },
  });
  expect(a?.written).toEqual({
    type: "stdio",
    command: "one",
    args: ["x"],
    tools: ["read_*"],
    timeout: 7,
    required: false,
    protocol: "legacy",
    trust: true,
  });
});

test("a person turns a project's server off, and one that is not there without harm", async () => {
  const project = testProject();
  project.write(".mcp.json", only("a", stdio("one")));
  project.writeUser({ mcpServers: { a: { disabled: true }, b: { disabled: true } } });
  const { servers } = await project.load();
  expect(servers).toMatchObject([{ id: "a", disabled: true, pending: false }]);
});

test("the person's model, system prompt and tokens win, and each says where it stands", async () => {
  const project = testProject();
  project.write("drawbridge.json", '{\n  "system": "project",\n  "maxTokens": 100\n}');
  expect((await project.load()).system).toEqual({
    value: "project",
    origin: { type: "project", file: join(project.folder, "drawbridge.json"), line: 2 },
  });
  project.writeUser('\ufeff// mine\n{ "system": "user", "maxTokens": 50, }');
  const loaded = await project.load();
  const origin = { type: "user", file: join(project.home, "config/drawbridge.json"), line: 2 };
  expect(loaded.system).toEqual({ value: "user", origin });
  expect(loaded.maxTokens).toEqual({ value: 50, origin });
});

test("the project's files are those of the nearest folder that has one, up to the repository", async () => {
  const project = testProject();
  const cwd = join(project.folder, "a/b/c");
  mkdirSync(cwd, { recursive: true });
  project.write("../.mcp.json", only("outside", stdio("x")));
  const pathsOf = async () => (await project.load({ cwd })).files.map(({ path }) => path);
  const userFile = join(project.home, "config/drawbridge.json");
  const at = (folder: string) => [join(folder, ".mcp.json"), join(folder, "drawbridge.json"), userFile];
  expect(await pathsOf()).toEqual(at(cwd));
  project.write(".mcp.json", only("top", stdio("x")));
  expect(await pathsOf()).toEqual(at(project.folder));
  project.write("a/b/drawbridge.json", only("near", stdio("x")));
  const loaded = await project.load({ cwd });
  expect(loaded.files).toMatchObject([
    { found: false },
    { found: true, scope: "project" },
    { found: false, scope: "user" },
  ]);
  expect(loaded.servers.map(({ id, config }) => [id, "cwd" in config && config.cwd])).toEqual([
    ["near", join(project.folder, "a/b")],
  ]);
});

test("outside of a repository only the folder itself is looked at", async () => {
  const project = testProject();
  const folder = join(project.folder, "..", "plain");
  project.write("../plain/.mcp.json", only("a", stdio("x")));
  mkdirSync(join(folder, "sub"));
  expect((await project.load({ cwd: folder })).servers).toHaveLength(1);
  expect((await project.load({ cwd: join(folder, "sub") })).servers).toHaveLength(0);
});

test("a named file takes the place of all others", async () => {
  const project = testProject();
  project.write(".mcp.json", only("a", stdio("x")));
  project.writeUser(only("b", stdio("x")));
  project.write("sub/named.json", only("c", stdio("x", { cwd: "work" })));
  const { files, servers } = await project.load({ file: "sub/named.json" });
  expect(files).toEqual([{ path: join(project.folder, "sub/named.json"), scope: "user", found: true }]);
  expect(servers).toMatchObject([{ id: "c", pending: false, config: { cwd: join(project.folder, "work") } }]);
});

test("without any file there is nothing, and nothing is written", async () => {
  const project = testProject();
  const loaded = await project.load();
  expect(loaded).toMatchObject({
    servers: [],
    limits: {},
    rules: [],
    projectRules: [],
    trust: [],
    warnings: [],
  });
  expect(() => mkdirSync(project.home)).not.toThrow();
});
