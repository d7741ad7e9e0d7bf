import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findServers, importHosts } from "../../src/host/import-servers.ts";
import type { FoundServers } from "../../src/types/found-servers.ts";
import { foundInFixtures } from "./fixtures.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-import-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function find(): Promise<FoundServers> {
  return findServers({ home: folder, cwd: join(folder, "project"), environment: {}, platform: "linux" });
}

test("the hosts that can be named are those whose files are read", async () => {
  const { servers } = await foundInFixtures();
  expect(new Set(servers.flatMap(({ sources }) => sources.map(({ host }) => host)))).toEqual(
    new Set(importHosts),
  );
});

test.each([
  [".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}', ":3:23"],
  [".codex/config.toml", 'model = "x"\n[mcp_servers.a\ncommand = "x"', ":2:"],
  [".config/goose/config.yaml", "extensions:\n  a: [1\n  b: hush: hush\n", ":3:"],
])(
  "a damaged %s is a problem with its line and without its text, and the other files are read",
  async (path, text, place) => {
    const file = put(path, text.replaceAll("x", "hush"));
    put(".gemini/settings.json", '{"mcpServers":{"b":{"command":"b"}}}');
    const { servers, problems } = await find();
    expect(servers.map(({ id }) => id)).toEqual(["b"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${file}${place}`);
    expect(problems[0]).not.toContain("hush");
  },
);

test("files that are no texts, too deep, or that explode by their aliases are problems", async () => {
  mkdirSync(join(folder, ".cursor/mcp.json"), { recursive: true });
  put(".gemini/settings.json", `/**/${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`,
  );
  put(".config/goose/config.yaml", `a0: &a0 x\n${laughs.join("\n")}\n`);
  mkdirSync(join(folder, ".codex"));
  execFileSync("mkfifo", [join(folder, ".codex/config.toml")]);
  const { problems, servers } = await find();
  expect(servers).toEqual([]);
  expect(problems.map((problem) => problem.slice(problem.indexOf("because")))).toEqual([
    "because it is not a file.",
    "because it is not a file.",
    "because it is nested too deeply.",
    "because it is not valid YAML.",
  ]);
});

test("anything in the place of servers and their keys is passed over or noted", async () => {
  const key = fc.constantFrom(
    ..."command args env url headers type timeout disabled enabled serverUrl disabledTools".split(" "),
  );
  const entry = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), entry)), async (servers) => {
      const text = JSON.stringify({ mcpServers: servers, context_servers: servers, mcp: servers, servers });
      for (const path of [".cursor/mcp.json", ".codeium/windsurf/mcp_config.json", ".claude.json"])
        put(path, text);
      for (const path of [
        ".gemini/settings.json",
        ".config/zed/settings.json",
        ".config/opencode/opencode.json",
      ])
        put(path, text);
      put(".config/Code/User/mcp.json", text);
      const found = await find();
      for (const { config, blocked } of found.servers) {
        expect(config === undefined).toBe(blocked !== undefined);
        if (config !== undefined) expect(config.command ?? config.url).toMatch(/\S/);
      }
      expect(found.problems).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("ids of any kind stay as they are, also those of the prototype", async () => {
  const ids = ["__proto__", "constructor", "with spaces", "Grüße/日本", "a.b", "", "toString"];
  const servers = ids.map(
    (id) =>
      `${JSON.stringify(id)}: {"command": "x", "env": {"__proto__": "y"}, "args": [${JSON.stringify(id)}]}`,
  );
  put(".cursor/mcp.json", `{"mcpServers": {${servers.join()},} /* */}`);
  put(".codex/config.toml", '[mcp_servers.__proto__]\ncommand = "toml"\n');
  put(".config/goose/config.yaml", "extensions:\n  __proto__: {type: stdio, cmd: yaml}\n");
  const found = await find();
  expect(found.servers.map(({ id }) => id)).toEqual([...ids, "__proto__-codex", "__proto__-goose"]);
  expect(found.servers.map(({ config }) => config?.command)).toEqual([...ids.map(() => "x"), "toml", "yaml"]);
  expect(Object.keys(found.servers[0]?.config?.env ?? {})).toEqual(["__proto__"]);
});

test("one server in several files is found once; others of its id get the name of their host", async () => {
  const put1 = (path: string, command: string) =>
    put(path, JSON.stringify({ mcpServers: { x: { command }, drawbridge: { command } } }));
  put1(".config/Claude/claude_desktop_config.json", "one");
  put1(".cursor/mcp.json", "two");
  put1("project/.cursor/mcp.json", "three");
  put1(".codeium/windsurf/mcp_config.json", "one");
  const { servers } = await find();
  expect(servers.map(({ id, sources }) => [id, sources.length])).toEqual([
    ["x", 2],
    ["drawbridge-claude-desktop", 2],
    ["x-cursor", 1],
    ["drawbridge-cursor", 1],
    ["x-cursor-2", 1],
    ["drawbridge-cursor-2", 1],
  ]);
});

test("in the home folder the files of the project are the person's, and are read once", async () => {
  put(".cursor/mcp.json", '{"mcpServers":{"a":{"command":"./a"}}}');
  const { servers } = await findServers({ home: folder, cwd: folder, environment: {}, platform: "linux" });
  expect(servers).toMatchObject([{ id: "a", sources: [{ host: "Cursor" }] }]);
  expect(servers[0]?.sources).toHaveLength(1);
});

test("for a project's own file its servers stay as they are; those of other projects name their folder", async () => {
  put("project/.cursor/mcp.json", '{"mcpServers":{"a":{"command":"${workspaceFolder}/a"}}}');
  put(
    ".claude.json",
    '{"projects":{"/other":{"mcpServers":{"b":{"command":"./b"},"c":{"command":"npx","args":["c"]}}}}}',
  );
  const cwd = join(folder, "project");
  const options = { home: folder, cwd, environment: {}, platform: "linux" };
  const configs = async (scope: "project" | "user") =>
    (await findServers({ ...options, scope })).servers.map(({ config }) => config);
  const b = { command: "./b", cwd: "/other" };
  const c = { command: "npx", args: ["c"] };
  expect(await configs("project")).toEqual([b, c, { command: "${workspaceFolder}/a" }]);
  expect(await configs("user")).toEqual([b, c, { command: `${cwd}/a`, cwd }]);
});
