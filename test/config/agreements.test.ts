import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openAgreements } from "../../src/host/agreements.ts";
import { hostOptions } from "../../src/host/host-options.ts";
import type { ConfiguredServer } from "../../src/types/settings.ts";
import { type TestProject, testProject } from "./project.ts";

afterEach(() => {
  delete process.env.DB_TEST_A;
});

const stdio = { command: "x", args: ["y"], env: { K: "${DB_TEST_A:-1}" } };
const remote = { url: "https://example.com/mcp", headers: { Authorization: "Bearer ${DB_TEST_A:-1}" } };

async function only(project: TestProject): Promise<ConfiguredServer> {
  const [server] = (await project.load()).servers;
  if (server === undefined) throw new Error("There is no server.");
  return server;
}

async function agreed(entry: object): Promise<TestProject> {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: entry } });
  await openAgreements().agree(await only(project));
  return project;
}

test("a project's server is pending until the person agreed, and not started before", async () => {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: stdio } });
  const before = await project.load();
  expect(before.servers).toMatchObject([{ id: "a", pending: true }]);
  expect(hostOptions(before).servers).toEqual({});
  await openAgreements().agree(await only(project));
  const after = await project.load();
  expect(after.servers).toMatchObject([{ id: "a", pending: false }]);
  expect(Object.keys(hostOptions(after).servers)).toEqual(["a"]);
  expect(after.trust).toEqual([]);
});

test.each<readonly [string, object, object]>([
  ["command", stdio, { ...stdio, command: "z" }],
  ["argument", stdio, { ...stdio, args: ["z"] }],
  ["folder", stdio, { ...stdio, cwd: "sub" }],
  ["value of an environment variable", stdio, { ...stdio, env: { K: "2" } }],
  ["variable with the same value", stdio, { ...stdio, env: { K: "${DB_TEST_B:-1}" } }],
  ["URL", remote, { ...remote, url: "https://example.com/other" }],
  ["header", remote, { ...remote, headers: { ...remote.headers, "X-More": "1" } }],
  ["variable in a header", remote, { ...remote, headers: { Authorization: "Bearer ${DB_TEST_B:-1}" } }],
  ["value in a header", remote, { ...remote, headers: { Authorization: "Bearer 1" } }],
])("another %s must be agreed to again", async (_, before, after) => {
  const project = await agreed(before);
  expect(await only(project)).toMatchObject({ pending: false });
  project.write(".mcp.json", { mcpServers: { a: after } });
  expect(await only(project)).toMatchObject({ pending: true });
});

test("another value of a variable in the environment of a program must be agreed to again, in a header not", async () => {
  const [program, address] = [await agreed(stdio), await agreed(remote)];
  process.env.DB_TEST_A = "2";
  process.env.DRAWBRIDGE_HOME = program.home;
  expect(await only(program)).toMatchObject({ pending: true });
  process.env.DRAWBRIDGE_HOME = address.home;
  expect(await only(address)).toMatchObject({ pending: false });
});

test("another id must be agreed to again, because rules go by it", async () => {
  const project = await agreed(stdio);
  project.write(".mcp.json", { mcpServers: { b: stdio } });
  expect(await only(project)).toMatchObject({ id: "b", pending: true });
});

test("time limits, tools and the like may change without being asked again", async () => {
  const project = await agreed(stdio);
  project.write(".mcp.json", { mcpServers: { a: { ...stdio, timeout: 5, tools: ["x"], required: false } } });
  expect(await only(project)).toMatchObject({ pending: false });
});

test("who believes the annotations says so with the agreement, and both can be taken back", async () => {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: stdio, b: remote } });
  const agreements = openAgreements();
  const [a, b] = (await project.load()).servers;
  if (a === undefined || b === undefined) throw new Error("There are not two servers.");
  await agreements.agree(a, { annotations: true });
  await agreements.agree(b);
  const loaded = await project.load();
  expect(loaded.trust).toMatchObject([{ value: "a", origin: { type: "user" } }]);
  expect(hostOptions(loaded).policy?.trust).toEqual(["a"]);
  const file = join(project.folder, ".mcp.json");
  expect(await agreements.list()).toMatchObject([
    { server: "a", file, annotations: true, configHash: a.configHash },
    { server: "b", file, annotations: false },
  ]);
  expect(await agreements.withdraw("a")).toBe(1);
  expect(await agreements.withdraw("a")).toBe(0);
  const { servers, trust } = await project.load();
  expect(servers.map(({ pending }) => pending)).toEqual([true, false]);
  expect(trust).toEqual([]);
});

test("agreements made at once are all kept, for the owner's eyes alone, and hold no value", async () => {
  const project = testProject();
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
  process.env.DB_TEST_A = "secret-value";
  project.write(".mcp.json", { mcpServers: Object.fromEntries(ids.map((id) => [id, stdio])) });
  const { servers } = await project.load();
  await Promise.all(servers.map((server) => openAgreements().agree(server)));
  expect((await project.load()).servers.filter(({ pending }) => pending)).toEqual([]);
  const folder = join(project.home, "state/agreements");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const names = readdirSync(folder);
  expect(names).toHaveLength(20);
  for (const name of names) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name), "utf8")).not.toContain("secret-value");
  }
});

test("what is damaged, or says another hash than its name, was never agreed", async () => {
  const project = await agreed(stdio);
  const folder = join(project.home, "state/agreements");
  const [name = ""] = readdirSync(folder);
  const good = readFileSync(join(folder, name), "utf8");
  for (const content of ["", "{", "[]", "{}", good.replace(/"configHash":"./, '"configHash":"')]) {
    writeFileSync(join(folder, name), content);
    expect(await only(project)).toMatchObject({ pending: true });
    expect(await openAgreements().list()).toEqual([]);
  }
});

test("a server that cannot be started cannot be agreed to", async () => {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: { command: "${DB_TEST_NONE}" } } });
  await expect(openAgreements().agree(await only(project))).rejects.toMatchObject({ code: "config_invalid" });
});

test("where the state folder cannot be used, servers of the project are pending and the rest is loaded", async () => {
  const project = await agreed(stdio);
  project.writeUser({ mcpServers: { mine: { command: "x" } } });
  const state = join(project.home, "config/drawbridge.json/state");
  process.env.DRAWBRIDGE_HOME = project.home;
  const { loadConfig } = await import("../../src/host/load-config.ts");
  const loaded = await loadConfig({ cwd: project.folder, state });
  expect(loaded.servers.map(({ id, pending }) => [id, pending])).toEqual([
    ["a", true],
    ["mine", false],
  ]);
  expect(loaded.warnings.join()).toContain("No agreement to start a project's servers can be read.");
});
