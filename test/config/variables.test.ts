import { resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { testProject } from "./project.ts";

const names = ["DB_TEST_TOKEN", "DB_TEST_HOST"];
afterEach(() => {
  for (const name of names) delete process.env[name];
});

const server = {
  command: "${workspaceFolder}/run",
  args: ["--token", "${DB_TEST_TOKEN}", "--mode=${DB_TEST_MODE:-production}", "$HOME"],
  env: { KEY: "Bearer ${env:DB_TEST_TOKEN}", MODE: "${DB_TEST_MODE:-production}", ROOT: "${HOME}/data" },
  cwd: "${workspaceFolder}/work",
};
const remote = {
  type: "http",
  url: "https://${DB_TEST_HOST:-example.com}/mcp?key=${DB_TEST_TOKEN}",
  headers: { Authorization: "Bearer ${DB_TEST_TOKEN}", "X-Fixed": "literal-secret" },
};

test("variables are replaced everywhere in a server, and what was written stays known", async () => {
  process.env.DB_TEST_TOKEN = "token-$1-${X}";
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: server, b: remote } });
  const [a, b] = (await project.load()).servers;
  expect(a?.config).toMatchObject({
    command: `${project.folder}/run`,
    args: ["--token", "token-$1-${X}", "--mode=production", "$HOME"],
    env: { KEY: "Bearer token-$1-${X}", MODE: "production", ROOT: `${process.env.HOME}/data` },
    cwd: resolve(project.folder, "work"),
  });
  expect(a?.written).toEqual({ type: "stdio", ...server });
  expect(a?.variables).toEqual([
    { name: "DB_TEST_TOKEN", place: "argument 2", from: "environment" },
    { name: "DB_TEST_MODE", place: "argument 3", from: "default" },
    { name: "DB_TEST_TOKEN", place: "environment variable KEY", from: "environment" },
    { name: "DB_TEST_MODE", place: "environment variable MODE", from: "default" },
    { name: "HOME", place: "environment variable ROOT", from: "environment" },
  ]);
  expect(b?.config).toMatchObject({
    url: "https://example.com/mcp?key=token-$1-${X}",
    headers: { Authorization: "Bearer token-$1-${X}" },
  });
  expect(b?.variables.map(({ place }) => place)).toEqual(["url", "url", "header Authorization"]);
});

test("values of variables and what looks like a secret are secrets; defaults, folders and homes are none", async () => {
  process.env.DB_TEST_TOKEN = "token-0123456789";
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: server, b: remote } });
  const values = (await project.load()).servers.map(({ config }) =>
    config.secrets?.map(({ value }) => value).sort(),
  );
  expect(values).toEqual([
    ["Bearer token-0123456789", "token-0123456789"],
    ["Bearer token-0123456789", "literal-secret", "token-0123456789"],
  ]);
});

test("nothing but a server's config holds the value of a variable", async () => {
  process.env.DB_TEST_TOKEN = "token-0123456789";
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: server, b: remote } });
  const loaded = await project.load();
  const shown = { ...loaded, servers: loaded.servers.map(({ config: _, ...others }) => others) };
  expect(JSON.stringify(loaded)).toContain("token-0123456789");
  expect(JSON.stringify(shown)).not.toContain("token-0123456789");
});

test("a variable that is not set is a problem of its server alone, naming key and file", async () => {
  const project = testProject();
  project.write(".mcp.json", {
    mcpServers: { a: server, b: { command: "x" }, c: { ...server, disabled: true } },
  });
  const { servers } = await project.load();
  expect(servers.map(({ id, problem }) => [id, problem])).toEqual([
    [
      "a",
      ".mcp.json:1:74: mcpServers.a.args[1] needs the environment variable DB_TEST_TOKEN, which is not set; set it, or write ${DB_TEST_TOKEN:-default}.",
    ],
    ["b", undefined],
    ["c", undefined],
  ]);
});

test("a URL that is none once its variables are replaced is a problem that does not repeat it", async () => {
  process.env.DB_TEST_HOST = "file:///secret";
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { a: { url: "${DB_TEST_HOST}" } } });
  expect((await project.load()).servers[0]?.problem).toBe(
    ".mcp.json:1:27: mcpServers.a.url is not an http or https URL.",
  );
});

test("the person's file has the working directory for its workspace, and starts its servers there", async () => {
  const project = testProject();
  project.writeUser({ mcpServers: { a: { command: "x", args: ["${workspaceFolder}"] } } });
  expect((await project.load()).servers[0]?.config).toMatchObject({
    args: [project.folder],
    cwd: project.folder,
  });
});
